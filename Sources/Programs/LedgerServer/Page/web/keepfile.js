// Files that the page makes by itself.

/** Has the browser keep a text, or bytes, as a file. */
export function save(content, name, type) {
    const address = URL.createObjectURL(new Blob([content], { type }));
    const link = document.createElement('a');
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}
