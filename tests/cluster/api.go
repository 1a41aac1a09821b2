// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A document is one object of Kubernetes.
type document = map[string]any

// A client speaks to one API server.
type client struct {
	address string
	http    *http.Client
	lock    sync.Mutex
	plurals map[string]string // "v1 Pod": "pods"
	scoped  map[string]bool   // the namespaced ones
}

// A refusal is an answer that is not a success.
type refusal struct {
	Status  int
	Message string
}

func (r *refusal) Error() string { return fmt.Sprintf("%d %s", r.Status, r.Message) }

const token = "administrator"

const requestLimit = 30 * time.Second

func (c *client) send(method, path, media string, body any) (document, error) {
	return c.sendWithin(requestLimit, method, path, media, body)
}

func (c *client) sendWithin(limit time.Duration, method, path, media string,
	body any) (document, error) {
	text, err := c.raw(limit, method, path, media, body)
	if err != nil {
		return nil, err
	}
	answer := document{}
	return answer, json.Unmarshal(text, &answer)
}

// raw sends a request again while the server has too much to do, as for a moment after a CRD came.
func (c *client) raw(limit time.Duration, method, path, media string, body any) ([]byte, error) {
	for start := time.Now(); ; time.Sleep(200 * time.Millisecond) {
		answer, err := c.once(limit, method, path, media, body)
		if !isStatus(err, 429) || time.Since(start) > limit {
			return answer, err
		}
	}
}

func (c *client) once(limit time.Duration, method, path, media string, body any) ([]byte, error) {
	var input io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		input = bytes.NewReader(text)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, c.address+path, input)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	if media != "" {
		request.Header.Set("Content-Type", media)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		return nil, &refusal{response.StatusCode, message(text)}
	}
	return text, nil
}

func message(text []byte) string {
	var status struct{ Message string }
	if json.Unmarshal(text, &status) == nil && status.Message != "" {
		return status.Message
	}
	return string(text)
}

func isStatus(err error, status int) bool {
	refused, ok := err.(*refusal)
	return ok && refused.Status == status
}

// discover reads the resources of a group version.
func (c *client) discover(groupVersion string) error {
	answer, err := c.send("GET", root(groupVersion), "", nil)
	if err != nil {
		return err
	}
	for _, one := range list(answer["resources"]) {
		resource := one.(document)
		name := text(resource, "name")
		if !strings.Contains(name, "/") {
			key := groupVersion + " " + text(resource, "kind")
			c.plurals[key] = name
			c.scoped[key], _ = resource["namespaced"].(bool)
		}
	}
	return nil
}

func root(groupVersion string) string {
	if strings.Contains(groupVersion, "/") {
		return "/apis/" + groupVersion
	}
	return "/api/" + groupVersion
}

// path is the address of a kind, or of one object of it.
func (c *client) path(groupVersion, kind, namespace, name string) (string, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	key := groupVersion + " " + kind
	if _, known := c.plurals[key]; !known {
		if err := c.discover(groupVersion); err != nil {
			return "", err
		}
	}
	plural, known := c.plurals[key]
	if !known {
		return "", &refusal{404, key + " is not served"}
	}
	path := root(groupVersion)
	if c.scoped[key] && namespace != "" {
		path += "/namespaces/" + namespace
	}
	path += "/" + plural
	if name != "" {
		path += "/" + name
	}
	return path, nil
}

func (c *client) serves(groupVersion, kind string) bool {
	_, err := c.path(groupVersion, kind, "", "")
	return err == nil
}

func (c *client) pathOf(object document, named bool) (string, error) {
	name := ""
	if named {
		name = nameOf(object)
	}
	return c.path(text(object, "apiVersion"), text(object, "kind"), namespaceOf(object), name)
}

// create sends an object with strict field validation, and returns what the server stored.
func (c *client) create(object document) (document, error) { return c.createWith(object, "") }

func (c *client) createWith(object document, query string) (document, error) {
	path, err := c.pathOf(object, false)
	if err != nil {
		return nil, err
	}
	return c.send("POST", path+"?fieldValidation=Strict"+query, "application/json", object)
}

func (c *client) replace(object document) (document, error) {
	path, err := c.pathOf(object, true)
	if err != nil {
		return nil, err
	}
	return c.send("PUT", path+"?fieldValidation=Strict", "application/json", object)
}

func (c *client) merge(groupVersion, kind, namespace, name, subresource string,
	patch any) (document, error) {
	path, err := c.path(groupVersion, kind, namespace, name)
	if err != nil {
		return nil, err
	}
	return c.send("PATCH", path+subresource, "application/merge-patch+json", patch)
}

func (c *client) get(groupVersion, kind, namespace, name string) (document, error) {
	path, err := c.path(groupVersion, kind, namespace, name)
	if err != nil {
		return nil, err
	}
	return c.send("GET", path, "", nil)
}

// items lists a kind, each object with its apiVersion and kind.
func (c *client) items(groupVersion, kind, namespace string) ([]document, error) {
	answer, err := c.get(groupVersion, kind, namespace, "")
	if err != nil {
		return nil, err
	}
	var found []document
	for _, one := range list(answer["items"]) {
		object := one.(document)
		object["apiVersion"], object["kind"] = groupVersion, kind
		found = append(found, object)
	}
	return found, nil
}

// count is the number of objects of a kind in a namespace, of which it reads one.
func (c *client) count(groupVersion, kind, namespace string) (int, error) {
	path, err := c.path(groupVersion, kind, namespace, "")
	if err != nil {
		return 0, err
	}
	answer, err := c.send("GET", path+"?limit=1", "", nil)
	return len(list(answer["items"])) + number(answer, "metadata", "remainingItemCount"), err
}

// remove deletes an object without waiting. An object that does not exist is no error.
func (c *client) remove(object document) error {
	path, err := c.pathOf(object, true)
	if err != nil {
		return err
	}
	options := document{"propagationPolicy": "Background"}
	if uid := text(object, "metadata", "uid"); uid != "" {
		options["preconditions"] = document{"uid": uid}
	}
	_, err = c.send("DELETE", path, "application/json", options)
	if isStatus(err, 404) {
		return nil
	}
	return err
}

// An event is a line of a watch.
type event struct {
	Type   string
	Object document
}

// watch calls back for every event until the context ends, and starts again when the server ends
// it.
func (c *client) watch(ctx context.Context, groupVersion, kind string, each func(event)) {
	for ctx.Err() == nil {
		if err := c.watchOnce(ctx, groupVersion, kind, each); err != nil && ctx.Err() == nil {
			time.Sleep(200 * time.Millisecond)
		}
	}
}

func (c *client) watchOnce(ctx context.Context, groupVersion, kind string, each func(event)) error {
	path, err := c.path(groupVersion, kind, "", "")
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, "GET", c.address+path+"?watch=true", nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	decoder := json.NewDecoder(response.Body)
	for {
		var one event
		if err := decoder.Decode(&one); err != nil {
			return err
		}
		each(one)
	}
}
