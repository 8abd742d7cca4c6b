// Reads the Go types of Kubernetes' API and prints, as JSON, the fields of each struct whose zero Go does not write:
// plain values, lists and maps with the tag omitempty. A pointer's zero is null, which is not written either way; an
// empty struct is always written. Needs nothing but Go's own library.
//
//	go run main.go k8s.io/api=/path/to/k8s.io/api@v0.31.4 ...
package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

type typeSpec struct {
	pkg     string
	imports map[string]string
	expr    ast.Expr
}

// By import path and name: "k8s.io/api/core/v1.PodSpec".
var types = map[string]typeSpec{}

var scalars = map[string]bool{
	"string": true, "bool": true, "byte": true, "float64": true, "float32": true, "int": true, "int8": true,
	"int16": true, "int32": true, "int64": true, "uint": true, "uint8": true, "uint32": true, "uint64": true,
}

func fail(err error) {
	if err != nil {
		panic(err)
	}
}

func readFile(pkg, path string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	fail(err)
	imports := map[string]string{}
	for _, spec := range file.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		fail(err)
		name := filepath.Base(target)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = target
	}
	for _, decl := range file.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			if named, ok := spec.(*ast.TypeSpec); ok {
				types[pkg+"."+named.Name.Name] = typeSpec{pkg, imports, named.Type}
			}
		}
	}
}

func readModule(module, dir string) {
	fail(filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		fail(err)
		if entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		relative, err := filepath.Rel(dir, filepath.Dir(path))
		fail(err)
		readFile(module+"/"+filepath.ToSlash(relative), path)
		return nil
	}))
}

// The type that an expression names, where it is one of those that were read.
func named(expr ast.Expr, from typeSpec) (typeSpec, bool) {
	switch expr := expr.(type) {
	case *ast.Ident:
		found, ok := types[from.pkg+"."+expr.Name]
		return found, ok
	case *ast.SelectorExpr:
		found, ok := types[from.imports[expr.X.(*ast.Ident).Name]+"."+expr.Sel.Name]
		return found, ok
	}
	return typeSpec{}, false
}

// Whether a type has a zero that omitempty leaves out of JSON. False for pointers: their zero is null.
func hasEmpty(expr ast.Expr, from typeSpec) bool {
	switch expr := expr.(type) {
	case *ast.ArrayType, *ast.MapType:
		return true
	case *ast.Ident:
		if scalars[expr.Name] {
			return true
		}
	}
	found, ok := named(expr, from)
	return ok && hasEmpty(found.expr, found)
}

func omittedFields(fields *ast.FieldList, from typeSpec) []string {
	omitted := []string{}
	for _, field := range fields.List {
		tag := ""
		if field.Tag != nil {
			text, err := strconv.Unquote(field.Tag.Value)
			fail(err)
			tag = reflect.StructTag(text).Get("json")
		}
		name, options, _ := strings.Cut(tag, ",")
		if name == "" && len(field.Names) == 0 {
			if inner, ok := named(field.Type, from); ok {
				if struct_, ok := inner.expr.(*ast.StructType); ok {
					omitted = append(omitted, omittedFields(struct_.Fields, inner)...)
				}
			}
		} else if strings.Contains(options, "omitempty") && name != "-" && hasEmpty(field.Type, from) {
			omitted = append(omitted, name)
		}
	}
	return omitted
}

var stable = regexp.MustCompile(`/v[0-9]+\.[A-Z][A-Za-z0-9]*$`)

func main() {
	for _, argument := range os.Args[1:] {
		module, dir, _ := strings.Cut(argument, "=")
		readModule(module, dir)
	}
	structs := map[string][]string{}
	for name, spec := range types {
		if struct_, ok := spec.expr.(*ast.StructType); ok && stable.MatchString(name) {
			omitted := omittedFields(struct_.Fields, spec)
			sort.Strings(omitted)
			structs[name] = omitted
		}
	}
	fail(json.NewEncoder(os.Stdout).Encode(structs))
}
