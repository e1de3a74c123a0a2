/** The policy lets style tags in only with the nonce that came with the page. */
export const nonce =
  document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';

// What locks the scroll behind a dialogue looks for it under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce });
