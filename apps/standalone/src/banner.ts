/** The message on the console once everything is up. */
import type { ScannerFileState } from './scanner.ts';

interface Lacking {
  /** What it needs beside the program, if that is missing. */
  lacks: string | null;
}

export interface BannerFacts {
  url: string;
  /** The network interface, as in `HOST`. */
  host: string;
  dataDir: string;
  /** The database's directory, if it is not in `dataDir`. */
  databaseDir: string | null;
  cacheDir: string;
  username: string;
  /** Only where it was generated at this start. */
  password: string | null;
  /** null: it is disabled. */
  scanner: (Pick<ScannerFileState, 'state' | 'version' | 'message'> & Lacking) | null;
}

/** Only the first start shows the credential. */
export function banner(facts: BannerFacts): string {
  const { url, dataDir, databaseDir, cacheDir, username, password, scanner } = facts;
  const credential = [
    ['User', username],
    ['Password', `${password}   (shown this once; you choose another at the first login)`],
  ];
  const rows = [
    ['Address', url],
    ...(password === null ? [] : credential),
    [
      'Open to',
      isLoopback(facts.host)
        ? ONLY_HERE
        : `every client that reaches ${facts.host}: plain HTTP, see docs/guide/tls.md`,
    ],
    ['Scanner', describeScanner(scanner)],
    ['Data', dataDir],
    ...(databaseDir === null
      ? []
      : [['Database', `${databaseDir}   (PostgreSQL's account can't enter ${dataDir})`]]),
    ['Downloads', cacheDir],
  ];
  const lines = rows.map(([label, value]) => `    ${label?.padEnd(11)}${value}`);
  const end = ['', '  Ctrl-C stops it. How to remove it: docs/guide/install.md', ''];
  return ['', '  Portcullis is ready.', '', ...lines, ...end].join('\n');
}

const ONLY_HERE =
  'this machine alone. HOST=0.0.0.0 opens it to others, who need TLS in front: docs/guide/tls.md';

function describeScanner(scanner: BannerFacts['scanner']): string {
  switch (scanner?.state) {
    case undefined:
      return 'switched off (TRIVY_ENABLED=false): images are not scanned';
    case 'ready':
      return scanner.lacks === null
        ? `Trivy ${scanner.version}`
        : `Trivy ${scanner.version}, ITS DATABASE IS MISSING: ${scanner.lacks}. No image passes a scan before; the worker tries again. Without the internet: docs/guide/air-gap.md`;
    case 'acquiring':
    case 'building':
      return 'NOT READY YET, it is being set up; images that are pulled wait for it';
    case 'unavailable':
      return `MISSING, images that are pulled wait for it; tried again in ten minutes: ${scanner.message}`;
  }
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** A URL to click on: `0.0.0.0` is not one. */
export function publicUrl(host: string, port: number): string {
  const everywhere = ['0.0.0.0', '::', ''].includes(host);
  const shown = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}`;
}

/** The URL at which we call the api. */
export function innerUrl(host: string, port: number): string {
  return host === '0.0.0.0' || host === '::' ? `http://127.0.0.1:${port}` : publicUrl(host, port);
}
