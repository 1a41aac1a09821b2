module libgang.dev/tests/overlay

go 1.26.0
