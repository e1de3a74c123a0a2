/**
 * The chromium that the browser tests drive, with the fonts of its package. The headless shell,
 * which draws no windows, loads a page in half of the processor's time.
 */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acquireBinary, type Binary, type Program } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '../config.ts';

const FONTS = 'FONTCONFIG_FILE';

export const CHROMIUM: Program = {
  names: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
  package: 'chromium-headless-shell',
  // The launcher beside it looks for its files in the machine's /usr.
  file: 'usr/lib/chromium/chromium-headless-shell',
  probe: ['--version', '--no-sandbox'],
  unpackedEnv: (root) => ({ [FONTS]: join(root, 'fonts.conf') }),
};

export async function chromium(): Promise<Binary> {
  const binary = await acquireBinary(CHROMIUM, { cacheDir: testCacheDir, env: testEnv });
  const config = binary.env[FONTS];
  if (config !== undefined) await describeFonts(config);
  return binary;
}

/** A bare machine has no fonts, and without one chromium aborts at the first text it lays out. */
async function describeFonts(config: string): Promise<void> {
  const xml = `<?xml version="1.0"?>
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(config, '../usr/share/fonts')}</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
  const draft = `${config}.${process.pid}`;
  await writeFile(draft, xml);
  await rename(draft, config);
}
