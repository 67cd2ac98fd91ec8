package export

import (
	archive "archive/zip"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"gyre/bench/journal"
)

// archiveTime is when all files of an archive are said to be from: equal sites are equal
// archives. Earlier ones there are not.
var archiveTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// WriteArchive writes the site as a zip archive of a folder of that name. It replaces an
// archive of its own alone; the error of another file is a *journal.ForeignError.
func WriteArchive(file, folder string, s *Site) (err error) {
	// The name of the first file, which stands at the beginning, tells it as ours.
	r, err := journal.Replace(file, listName)
	if err != nil {
		return err
	}
	defer func() {
		if closed := r.Close(); err == nil {
			err = closed
		}
	}()
	list, err := s.list().text()
	if err != nil {
		return err
	}
	w := archive.NewWriter(r)
	if err := addFile(w, path.Join(folder, listName), list); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(s.Files)) {
		if err := addFile(w, path.Join(folder, name), s.Files[name]); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return r.Publish()
}

// addFile adds a file to an archive, packed if that is not done already.
func addFile(w *archive.Writer, name string, content []byte) error {
	header := &archive.FileHeader{Name: name, Method: archive.Deflate, Modified: archiveTime}
	if strings.HasSuffix(name, ".bin") || strings.HasSuffix(name, ".png") {
		header.Method = archive.Store
	}
	file, err := w.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return err
}
