/**
 * Serves the web page: its built files, and the document for every other path that a browser
 * navigates to. The policy allows no external host and no inline script; style tags need the
 * reply's nonce, because Mantine writes its theme into one.
 */
import { randomBytes } from 'node:crypto';
import { notFound } from '@portcullis/errors';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import helmet from 'helmet';
import { type Asset, type BuiltPage, ENCODINGS, readBuiltPage } from './built-page.ts';

const YEAR_SECONDS = 31_536_000;

export function webPage(dir: string): RequestHandler {
  const built = readBuiltPage(dir);
  const router = Router();
  router.use(onlyReads);
  if (built) router.use(files(built));
  router.use(headers, policy, built ? document(built) : notBuilt);
  return router;
}

/**
 * Scripts, styles and images of the build. Of the headers of a document only these two apply to
 * them; all would be a tenth of the first load.
 */
function files({ assets }: BuiltPage): RequestHandler {
  return (request, response, next) => {
    const asset = assets.get(request.path);
    if (!asset) return next();
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    sendAsset(request, response, asset);
  };
}

/** Other methods belong to no route. */
const onlyReads: RequestHandler = ({ method, path }, _, next) => {
  next(method === 'GET' || method === 'HEAD' ? undefined : unknown(path));
};

const headers = helmet({
  contentSecurityPolicy: false,
  // TLS and HSTS are the responsibility of the operator's proxy.
  strictTransportSecurity: false,
  xFrameOptions: { action: 'deny' },
});

const policy: RequestHandler = (_, response, next) => {
  const nonce = randomBytes(16).toString('base64');
  response.locals.nonce = nonce;
  response.setHeader('Permissions-Policy', NO_FEATURES);
  response.setHeader(
    'Content-Security-Policy',
    [...POLICY, `style-src 'self' 'nonce-${nonce}'`].join('; '),
  );
  next();
};

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

/** The page uses none of them; a script that got in could not either. */
const NO_FEATURES = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']
  .map((feature) => `${feature}=()`)
  .join(', ');

function document({ index }: BuiltPage): RequestHandler {
  return (request, response, next) => {
    // A chunk of an older build must not be answered with the document.
    if (request.path.startsWith('/assets/') || !isNavigation(request))
      return next(unknown(request.path));
    response.setHeader('Cache-Control', 'no-store');
    response.type('html').send(index.replaceAll('__NONCE__', response.locals.nonce));
  };
}

/** Registry clients and clients that look for metadata take any 200 as success. */
const NEVER_PAGES = /^\/(?:v1|\.well-known)(?:\/|$)/;

/**
 * Browsers send `text/html` when they navigate. Programs that accept anything get a 404, except for
 * `/`.
 */
function isNavigation({ path, headers }: Request): boolean {
  if (path === '/') return true;
  return !NEVER_PAGES.test(path) && /\btext\/html\b/i.test(headers.accept ?? '');
}

function sendAsset(
  request: Request,
  response: Response,
  { type, hashed, body, etag, encoded }: Asset,
): void {
  const accepted = request.acceptsEncodings();
  const [encoding] = ENCODINGS.find(([name]) => encoded[name] && accepted.includes(name)) ?? [];
  response.setHeader(
    'Cache-Control',
    hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
  );
  response.vary('Accept-Encoding');
  response.setHeader('ETag', etag);
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Type', type);
  if (encoding) response.setHeader('Content-Encoding', encoding);
  response.end((encoding && encoded[encoding]) ?? body);
}

const notBuilt: RequestHandler = (request, response, next) => {
  if (request.path !== '/') return next(unknown(request.path));
  response
    .status(503)
    .type('text')
    .send(
      'The API runs, but the web page was not built: `npm start` builds it, or set WEB_DIR to where it lies.\n',
    );
};

function unknown(path: string) {
  return notFound('ROUTE_UNKNOWN', `There is nothing at ${path}.`);
}
