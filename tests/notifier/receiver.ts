/** A receiver of webhooks: a real server that verifies each signature before it answers. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from '@portcullis/testing';

interface ReceivedWebhook {
  id: string;
  headers: IncomingHttpHeaders;
  /** The body as it arrived. */
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests compare what arrived.
  body: any;
  /** Which of the receiver's secrets verify it, by their place. */
  verifiedBy: number[];
}

export interface Receiver extends AsyncDisposable {
  url: string;
  received: ReceivedWebhook[];
  secrets: string[];
  /** Answers the next requests. */
  answer: (response: ServerResponse) => void;
}

/** @param tls With a certificate it is a server of HTTPS. */
export async function startReceiver(tls?: Certificate): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const receive: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const verifiedBy = receiver.secrets.flatMap((secret, place) =>
      verifies(request.headers, text, secret) ? [place] : [],
    );
    const id = String(request.headers['webhook-id']);
    const { headers } = request;
    received.push({ id, headers, text, body: JSON.parse(text), verifiedBy });
    receiver.answer(response);
  };
  const server = tls
    ? createTlsServer({ key: tls.key, cert: tls.certificate }, receive)
    : createServer(receive);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hook?token=t0p`,
    received,
    secrets: [],
    answer: (response) => response.writeHead(204).end(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

const TOLERANCE_SECONDS = 300;

/** As the specification of Standard Webhooks tells receivers. */
function verifies(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  const timestamp = Number(headers['webhook-timestamp']);
  if (Math.abs(Date.now() / 1000 - timestamp) > TOLERANCE_SECONDS) return false;
  const expected = signature({ id: String(headers['webhook-id']), timestamp, body }, secret);
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice(3), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

/** HMAC-SHA-256 of a delivery. */
export function signature(
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
  secret: string,
): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
}
