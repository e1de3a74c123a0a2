/** The web page. */
export {};
