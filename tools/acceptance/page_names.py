"""Names of what can be used, computed in the page where the browser does not tell its own accessibility tree."""

# After Accessible Name and Description Computation: aria-labelledby, aria-label, labels, alt, content, title.
UNNAMED = r"""
const shown = (element) => element.checkVisibility({ visibilityProperty: true })
    && !element.closest('[aria-hidden=true], noscript');
const content = (element) => {
    const copy = element.cloneNode(true);
    copy.querySelectorAll('[aria-hidden=true]').forEach((part) => part.remove());
    const told = [...copy.querySelectorAll('[alt], [aria-label], svg title')].map((part) =>
        part.getAttribute('alt') ?? part.getAttribute('aria-label') ?? part.textContent);
    return `${copy.textContent} ${told.join(' ')}`.trim();
};
const named = (element) => {
    const ids = (element.getAttribute('aria-labelledby') ?? '').split(' ').filter(Boolean);
    const by = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim();
    if (by || element.getAttribute('aria-label')?.trim()) return true;
    if ([...element.labels ?? []].some((label) => content(label))) return true;
    if (element.matches('img')) return element.hasAttribute('alt');
    if (element.matches('input, select, textarea')) return Boolean(element.title || element.placeholder);
    if (element.matches('dialog, nav, [role=dialog], [role=region], [role=slider], [role=img]')) {
        return Boolean(element.querySelector(':scope > title')?.textContent || element.title);
    }
    return Boolean(content(element) || element.title);
};
const all = `button, a[href], input:not([type=hidden]), select, textarea, summary, img, dialog[open], nav,
    [role=button], [role=slider], [role=img], [role=region], [role=dialog]`;
return [...document.querySelectorAll(all)].filter((one) => shown(one) && !named(one))
    .map((one) => `a ${one.getAttribute('role') ?? one.tagName.toLowerCase()} has no name: ${
        one.outerHTML.slice(0, 80)}`);
"""
