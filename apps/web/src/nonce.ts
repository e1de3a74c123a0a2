/** The nonce that the content security policy requires of style tags. */
export const nonce =
  document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '';

// The scroll lock of Mantine's dialogs (react-remove-scroll) reads the nonce from this name.
Object.assign(globalThis, { __webpack_nonce__: nonce });
