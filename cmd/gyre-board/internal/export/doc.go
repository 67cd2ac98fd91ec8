// Package export writes the board as a folder of static files, which any web server
// serves: the page, and the program that it runs in WebAssembly instead of asking a server.
//
//	site.go     which files there are, and their names
//	index.go    the page's index with those names
//	program.go  the program: built by the go tool, or in this one (program_embedded.go)
//	folder.go   writing the folder, and never over what is not ours
//	archive.go  the folder as a zip archive
//	sw.js       the service worker, which keeps the files of one version
//	icons/      the page as a program on a phone or a desktop
//	THIRD-PARTY.md  what others wrote of the page and its program, with the licences
//
// What has its name for ever, index.html and sw.js, is small. Everything else has a name
// that changes with what it holds, so that what browsers or servers keep of two versions
// never mixes.
package export
