/**
 * The commands of README and docs: which of them a test runs unchanged, and why the others can't
 * run in a test.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Block, blocksOf } from '../support/guide.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Pages whose commands another test runs, block after block. */
const ELSEWHERE: Record<string, string> = {
  'docs/ci.md': 'tests/pcs/ci.night.test.ts',
  'docs/guide/api.md': 'tests/api/api-guide.night.test.ts',
  'docs/guide/tasks.md': 'tests/docs/tasks.night.test.ts',
  'docs/release.md': 'tests/deploy/release.night.test.ts',
};

/** Commands that can't run in a test, by their first words, with the reason. */
export const NOT_RUN: readonly { begins: RegExp; because: string }[] = [
  {
    begins: /^git clone /,
    because: 'GitHub is not reached from every machine that tests; the test is in a clone',
  },
  {
    begins: /^(?:HOST=\S+ )?npm start\b/,
    because: 'tests/support/product.ts starts the product in this way for every test of it',
  },
  {
    begins: /^npm run demo\b/,
    because: 'tests/demo/demo.night.test.ts runs it',
  },
  {
    begins: /^npm (?:test|run (?:check|test:night))\b|^bash \.ci\/run$/,
    because: 'it runs the test that would run it',
  },
  {
    begins: /^npm run (?:bare|containers|compose|kube)\b/,
    because: 'it takes many minutes and runs by itself',
  },
  {
    begins: /^PORTCULLIS_CACHE=\S+ npm start\b|^rm -rf data\b/,
    because: 'it fetches everything anew',
  },
  {
    begins: /^(?:sh deploy\/compose\/|(?:\(umask 077; )?docker compose )/,
    because: 'it needs a Docker engine; npm run compose runs it',
  },
  {
    begins: /^curl -sS --fail-with-body "\$URL\/api\/auth\/exchange"|^docker login -u oidc /,
    because: 'it needs the identity token of a CI system; keyless.int.test.ts signs one',
  },
  {
    begins: /^(?:kubectl|helm|pcs running) /,
    because: 'it needs a cluster; npm run kube runs what helm renders',
  },
  {
    begins:
      /^pcs (?:mirror |login https:)|^mkdir -p \/etc\/|^podman (?:login images\.|pull docker\.io\/)|^ctr /,
    because:
      'it needs Docker Hub and the files of the machine; mirror-clients.night.test.ts pulls with these files',
  },
  {
    begins: /^openssl req |^base64 -w0 admission\.crt$/,
    because: 'an API server is given what they make; admission.night.test.ts runs them',
  },
  {
    begins: /^cosign |^pcs authority /,
    because:
      'it needs cosign; pcs.int.test.ts saves authorities, and cosign.night.test.ts runs cosign',
  },
  {
    begins: /^(?:sudo|systemctl|journalctl|useradd|adduser|apt|apt-get|install|chown) /,
    because: 'it changes the machine',
  },
];

export interface PageBlock extends Block {
  page: string;
  /** Without comments, one string per command, with its continuation lines. */
  lines: string[];
}

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...['docs', 'docs/guide'].flatMap((dir) =>
    readdirSync(path.join(ROOT, dir))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${dir}/${name}`),
  ),
  'deploy/helm/portcullis/README.md',
].filter((page) => !(page in ELSEWHERE));

export const docsBlocks: PageBlock[] = pages.flatMap((page) =>
  blocksOf(readFileSync(path.join(ROOT, page), 'utf8')).map((block) => ({
    ...block,
    page,
    lines: commandsOf(block.commands),
  })),
);

export const isRun = (line: string): boolean => !NOT_RUN.some(({ begins }) => begins.test(line));

/** The commands to run of each block; blocks without any are omitted. */
export const runBlocks: PageBlock[] = docsBlocks
  .map((block) => ({ ...block, lines: block.lines.filter(isRun) }))
  .filter(({ lines }) => lines.length > 0);

export function commandsOf(text: string): string[] {
  const joined = text.split('\n').reduce<string[]>((lines, line) => {
    const last = lines.at(-1);
    // Continued by a backslash, or inside open quotes.
    if (last !== undefined && (last.endsWith('\\') || isOpen(last)))
      lines.splice(-1, 1, `${last}\n${line}`);
    else lines.push(line);
    return lines;
  }, []);
  return joined
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Whether a shell quotation is open at the end. */
function isOpen(text: string): boolean {
  let open = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '\\' && open !== "'") at++;
    else if (open === '' && (char === '"' || char === "'")) open = char;
    else if (char === open) open = '';
  }
  return open !== '';
}
