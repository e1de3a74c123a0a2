/** Serves `/api/docs` and `/api/openapi.json` when `SWAGGER_ENABLED` is set. */
import { type RequestHandler, Router } from 'express';
import swagger from 'swagger-ui-express';
import { allowedMethods } from '../allowed-methods.ts';
import { openApiDocument } from './openapi.ts';

/** No outside host and no inline script; the page styles itself inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export function apiDocs(version: string): RequestHandler {
  const router = Router();
  router.use(allowedMethods([{ method: 'get', path: '/openapi.json' }]));
  const text = JSON.stringify(openApiDocument(version));
  router.get('/openapi.json', (_, response) => void response.type('json').send(text));
  router.use('/docs', policy, ...swagger.serve, page);
  return router;
}

const policy: RequestHandler = (_, response, next) => {
  response.setHeader('Content-Security-Policy', POLICY);
  next();
};

const show = swagger.setup(undefined, {
  customSiteTitle: 'Portcullis API',
  swaggerOptions: { url: '/api/openapi.json', persistAuthorization: false, validatorUrl: null },
});

const page: RequestHandler = (request, response, next) => {
  if (request.path === '/' && (request.method === 'GET' || request.method === 'HEAD'))
    return show(request, response, next);
  next();
};
