/**
 * The web page: its files as built, and the document for every other path a person may open. No
 * outside host, no inline script; style tags with the answer's nonce (Mantine writes its theme into
 * one).
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
  router.use(onlyReads, headers, policy);
  router.use(built ? serve(built) : notBuilt);
  return router;
}

/** Whatever else arrives here is meant for no route at all. */
const onlyReads: RequestHandler = ({ method, path }, _, next) => {
  next(method === 'GET' || method === 'HEAD' ? undefined : unknown(path));
};

const headers = helmet({
  contentSecurityPolicy: false,
  // Whether there is TLS at all is the operator's proxy's business, and so is promising it for a
  // year.
  strictTransportSecurity: false,
  xFrameOptions: { action: 'deny' },
});

const policy: RequestHandler = (_, response, next) => {
  const nonce = randomBytes(16).toString('base64');
  response.locals.nonce = nonce;
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

function serve({ index, assets }: BuiltPage): RequestHandler {
  return (request, response, next) => {
    const asset = assets.get(request.path);
    if (asset) return sendAsset(request, response, asset);
    // A chunk of an older build is gone; the document in its place would only confuse.
    if (request.path.startsWith('/assets/') || !isNavigation(request))
      return next(unknown(request.path));
    response.setHeader('Cache-Control', 'no-store');
    response.type('html').send(index.replaceAll('__NONCE__', response.locals.nonce));
  };
}

/**
 * Registries' clients read 200 as "this is here", whatever the body says, and so do clients that
 * look for metadata.
 */
const NEVER_PAGES = /^\/(?:v1|\.well-known)(?:\/|$)/;

/**
 * Whether a person opens the path: browsers name `text/html` when they navigate. Programs that
 * accept anything learn that there is nothing, except at the address itself.
 */
function isNavigation({ path, headers }: Request): boolean {
  if (path === '/') return true;
  return !NEVER_PAGES.test(path) && /\btext\/html\b/i.test(headers.accept ?? '');
}

function sendAsset(
  request: Request,
  response: Response,
  { type, hashed, body, encoded }: Asset,
): void {
  const accepted = request.acceptsEncodings();
  const [encoding] = ENCODINGS.find(([name]) => encoded[name] && accepted.includes(name)) ?? [];
  response.setHeader(
    'Cache-Control',
    hashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
  );
  response.vary('Accept-Encoding');
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
