// Files that last, for Python in a browser: whatever SQLite writes and syncs goes straight through a
// handle of the browser's own file system, so that what it has committed is on disk.
//
// SQLite's own syncs do not come through (Emscripten answers `fdatasync` by itself), but their order
// does: it writes the journal, then the database, then removes the journal. So what was written to one
// file is flushed before anything is done to another one.
//
// A handle is a `FileSystemSyncAccessHandle`, or anything with its methods. Other files in the folder
// live in memory. To remove a file that lasts is to empty it: handles cannot be opened at once.

const ENOSPC = 51, EIO = 29;

/** Make a folder in which the files of these names last. */
export function mount(FS, folder, handles) {
  FS.mkdirTree(folder);
  const failing = (work) => {
    try {
      return work();
    } catch (fault) {
      throw new FS.ErrnoError(fault?.name === "QuotaExceededError" ? ENOSPC : EIO);
    }
  };
  const parent = FS.lookupPath(folder).node;
  const nodes = {};
  const unflushed = new Set();
  const flushOthers = (handle) => {
    for (const other of unflushed) if (other !== handle) { other.flush(); unflushed.delete(other); }
  };
  for (const [name, handle] of Object.entries(handles)) {
    FS.writeFile(`${folder}/${name}`, new Uint8Array(0));
    const node = nodes[name] = FS.lookupPath(`${folder}/${name}`).node;
    const memory = { ...node.node_ops };
    const bytes = (buffer, offset, length) => new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length);
    node.node_ops = {
      ...memory,
      getattr: (each) => ({ ...memory.getattr(each), size: failing(() => handle.getSize()) }),
      setattr: (each, { size, ...rest }) => {
        memory.setattr(each, rest);
        if (size === undefined) return;
        failing(() => { flushOthers(handle); handle.truncate(size); unflushed.add(handle); });
      },
    };
    node.stream_ops = {
      llseek(stream, offset, whence) {
        const from = whence === 1 ? stream.position : whence === 2 ? handle.getSize() : 0;
        return from + offset;
      },
      read: (_stream, buffer, offset, length, at) => failing(() => handle.read(bytes(buffer, offset, length), { at })),
      write(_stream, buffer, offset, length, at) {
        const written = failing(() => {
          flushOthers(handle);
          unflushed.add(handle);
          return handle.write(bytes(buffer, offset, length), { at });
        });
        if (written < length) throw new FS.ErrnoError(ENOSPC);
        return written;
      },
    };
  }
  const { unlink, lookup } = parent.node_ops;
  parent.node_ops = {
    ...parent.node_ops,
    unlink(within, name) {
      if (!Object.hasOwn(handles, name)) return unlink(within, name);
      failing(() => { flushOthers(handles[name]); handles[name].truncate(0); handles[name].flush(); });
    },
    // What was removed is there again, empty: SQLite takes an empty journal for none.
    lookup(within, name) {
      if (!Object.hasOwn(nodes, name)) return lookup(within, name);
      FS.hashAddNode(nodes[name]);
      return nodes[name];
    },
  };
}
