/** Requests to a `Transport` and its small responses. */
import type { TlsTrust } from './dial.ts';
import type { Headers } from './response-head.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestBody {
  /** Sent as `Content-Length`. */
  size: number;
  /** Opens the bytes from the start; called again for each retry. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

export interface HttpRequest {
  method: Method;
  url: URL;
  headers?: Headers | undefined;
  /** `Authorization` header; sent to the origin of `url` only. */
  authorization?: string | undefined;
  trust: TlsTrust;
  body?: RequestBody | undefined;
  /** Size limit of the response body. A larger error response is cut, any other is refused. */
  maxBytes?: number | undefined;
  /** True cuts a larger response body of any status. */
  cut?: boolean | undefined;
  /** False for requests that must not be repeated or that the caller repeats itself. */
  retry?: boolean | undefined;
  /** False returns a redirect as a response, for requests that must not reach another address. */
  follow?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export interface HttpResponse {
  status: number;
  headers: Headers;
  body: Buffer;
  /** Final URL, after redirects. */
  url: URL;
  /** The token service that may not have the login, so that the request was anonymous. */
  loginWithheldFrom?: string | undefined;
}
