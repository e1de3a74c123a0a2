export interface BannerFacts {
  url: string;
  dataDir: string;
  username: string;
  /** Only where it was made at this start. */
  password: string | null;
}

/** The one thing the console says loudly. Later starts say nothing about the credential. */
export function banner({ url, dataDir, username, password }: BannerFacts): string {
  const rows = [
    ['Address', url],
    ...(password === null
      ? []
      : [
          ['User', username],
          ['Password', `${password}   (shown this once; you choose another at the first login)`],
        ]),
    ['Data', dataDir],
  ];
  const lines = rows.map(([label, value]) => `    ${label?.padEnd(10)}${value}`);
  return ['', '  Portcullis is ready.', '', ...lines, '', '  Ctrl-C stops it.', ''].join('\n');
}

/** An address to click on: `0.0.0.0` is none. */
export function publicUrl(host: string, port: number): string {
  const everywhere = ['0.0.0.0', '::', ''].includes(host);
  const shown = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}`;
}

/** Where we ask the api ourselves. */
export function innerUrl(host: string, port: number): string {
  return host === '0.0.0.0' || host === '::' ? `http://127.0.0.1:${port}` : publicUrl(host, port);
}
