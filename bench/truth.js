// SPDX-License-Identifier: Apache-2.0
// What a person sees of a frame: its words, and how its links are written.
(() => {
  const words = [];
  const links = {};
  const clipped = new WeakMap();

  // Text for screen readers alone is put into a box of a pixel or so.
  const isClipped = element => {
    if (!element) return false;
    if (!clipped.has(element)) {
      const style = getComputedStyle(element);
      const tiny = style.overflow !== 'visible'
        && /absolute|fixed/.test(style.position)
        && (element.offsetWidth <= 1 || element.offsetHeight <= 1);
      const up = element.parentElement || element.getRootNode().host;
      clipped.set(element, tiny || isClipped(up));
    }
    return clipped.get(element);
  };

  const isSeen = element => element
    && !element.closest('script, style, noscript, template, select, textarea')
    && element.checkVisibility({opacityProperty: true,
                                visibilityProperty: true})
    && !isClipped(element);

  const visit = root => {
    const walker = document.createTreeWalker(
      root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE) {
        const up = node.parentElement || node.getRootNode().host;
        if (node.data.trim() && isSeen(up)) words.push(node.data);
      } else {
        if (node.shadowRoot) visit(node.shadowRoot);
        if (node.localName === 'a' && node.hasAttribute('href'))
          links[node.href] = node.getAttribute('href');
      }
    }
  };

  if (document.body) visit(document.body);
  return {text: words.join(' '), links};
})()
