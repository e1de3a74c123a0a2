/** Serves metrics on a separate port, which must not be published: it requires no login. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Part } from './lifecycle.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

export interface MetricsServerOptions {
  metrics: Pick<Metrics, 'render' | 'contentType'>;
  /** Null: no port is opened. 0: any free port. */
  port: number | null;
  host: string;
  log: Pick<Logger, 'info'>;
}

export interface MetricsServer extends Part {
  /** The port on which it listens; null while it does not. */
  port(): number | null;
}

export function metricsServer({ metrics, port, host, log }: MetricsServerOptions): MetricsServer {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.render().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  const listening = () => {
    const address = server.address();
    return address === null || typeof address === 'string' ? null : address.port;
  };
  return {
    port: listening,
    async start() {
      if (port === null) return;
      server.listen(port, host);
      await once(server, 'listening');
      log.info({ host, port: listening() }, 'metrics are served here');
    },
    async stop() {
      if (listening() === null) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
