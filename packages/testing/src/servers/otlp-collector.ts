/** A collector of OpenTelemetry that receives traces as JSON over HTTP (OTLP). */
import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { makeCertificate } from '../content/certificate.ts';

export interface CollectorOptions {
  /** With a certificate of a private authority. */
  tls?: boolean;
  /** `silent`: it reads each export and never answers. */
  answer?: 200 | 400 | 'silent';
}

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  name: string;
  /** As in OTLP: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  isError: boolean;
  attributes: Record<string, string | number | boolean>;
  /** `service.name` of its process. */
  service: string;
}

export interface TestCollector extends AsyncDisposable {
  /** Value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  /** With `tls`: PEM. */
  ca: string;
  spans(): ReceivedSpan[];
  /** Exports as they arrived: headers and bodies. */
  exports: { path: string; headers: Record<string, unknown>; body: string }[];
}

export async function startCollector({
  tls = false,
  answer = 200,
}: CollectorOptions = {}): Promise<TestCollector> {
  const exports: TestCollector['exports'] = [];
  const listener: RequestListener = async (request, response) => {
    const { url: path = '', headers } = request;
    exports.push({ path, headers, body: await text(request) });
    if (answer === 'silent') return;
    response.writeHead(answer, { 'content-type': 'application/json' }).end('{}');
  };
  const { certificate, key } = makeCertificate();
  const server = tls ? createHttps({ cert: certificate, key }, listener) : createHttp(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    ca: certificate,
    exports,
    spans: () => exports.flatMap(({ body }) => spansIn(JSON.parse(body))),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number };
type Attribute = { key: string; value: Value & { boolValue?: boolean } };

interface Received {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'attributes' | 'parentSpanId'> & {
        parentSpanId?: string;
        attributes?: Attribute[];
        status?: { code?: number };
      })[];
    }[];
  }[];
}

function spansIn({ resourceSpans }: Received): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId = '', name, kind, attributes = [], status }) => ({
        ...{ traceId, spanId, parentSpanId, name, kind },
        isError: status?.code === 2,
        attributes: valuesOf(attributes),
        service: String(valuesOf(resource.attributes)['service.name']),
      })),
    ),
  );
}

function valuesOf(attributes: Attribute[]): ReceivedSpan['attributes'] {
  const entries = attributes.map(({ key, value }) => {
    const { stringValue, intValue, doubleValue, boolValue } = value;
    const number = intValue ?? doubleValue;
    return [key, stringValue ?? boolValue ?? Number(number)] as const;
  });
  return Object.fromEntries(entries);
}
