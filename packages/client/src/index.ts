/** Entry of the package: the REST API over HTTP, for programs. */
export { type ApiClient, openApi } from './api.ts';
export { type ConnectionOptions, createConnection, siteOf } from './connection.ts';
export { exchangeToken } from './exchange.ts';
export { awaitJob, awaitTransfer } from './waiting.ts';
