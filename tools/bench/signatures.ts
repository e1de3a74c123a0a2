/**
 * `npm run bench signatures [-- pairs [signatures]]`: what one signature costs to verify, what ten
 * thousand at one digest cost to read, and what a pull costs where the policy of the folder asks
 * for a signature, in turn with one whose policy does not.
 */
import { AIMS, marked, table } from './aims.ts';
import { median } from './figures.ts';
import { startGateServer } from './gate-process.ts';
import { type Pair, pullsInTurn, warmPulls } from './pulls-in-turn.ts';
import { openMany, type ReadMany } from './signatures/many.ts';
import { timeVerifications } from './signatures/verification.ts';

const pairs = Number(process.argv[2] ?? 4_000);
const there = Number(process.argv[3] ?? 10_000);
/** As many as one manifest may have. */
const UNDER_A_TAG = 1_000;
const FIRST_PULLS = 60;

const print = (text: string) => void process.stdout.write(`${text}\n`);
const ms = (value: number) => `${value.toFixed(2)} ms of CPU`;

async function one(): Promise<void> {
  const cpu = await timeVerifications();
  print(
    table(
      ['one signature', 'read and verified'],
      [
        ['of a workflow, of the public Sigstore', marked(AIMS.signature, cpu.ofPublicSigstore)],
        ['of a workflow, in a bundle 0.3 with a log entry', marked(AIMS.keyless, cpu.keyless)],
        ['of a key, in a bundle 0.3', marked(AIMS.keySignature, cpu.ofKey)],
        ['of a certificate, in JWS', ms(cpu.jws)],
        ['of a certificate, in COSE', ms(cpu.cose)],
      ],
    ),
  );
}

async function many(): Promise<void> {
  await using opened = await openMany();
  const most = await opened.ofReferrers(there);
  const rows: [string, ReadMany][] = [
    ['as referrers', most],
    ['as referrers', await opened.ofReferrers(10)],
    ["under cosign's tag", await opened.ofTag(UNDER_A_TAG)],
  ];
  const head = ['signatures', 'where', 'read', 'not read', 'requests', 'seconds', 'CPU in s'];
  const cells = rows.map(([where, found]) => [
    ...[String(found.there), where, String(found.read), String(found.unread)],
    ...[String(found.requests), found.seconds.toFixed(2), found.cpuSeconds.toFixed(2)],
  ]);
  print(table(head, cells));
  print(`${AIMS.manySignatures.work}: ${marked(AIMS.manySignatures, most.read)}\n`);
}

async function gate(): Promise<void> {
  await using server = await startGateServer(FIRST_PULLS);
  const at = (name: string): [string, string] => [
    `${server.url}/v2/enforce/${name}/manifests/1`,
    `${server.url}/v2/signed/${name}/manifests/1`,
  ];
  const image = await warmPulls(at('image'), { pairs });
  const index = await warmPulls(at('index'), { pairs });
  const names = Array.from({ length: FIRST_PULLS }, (_, nth) => `first-${nth}`);
  const first = await pullsInTurn(names.map(at));
  const rows: [string, Pair[]][] = [
    [`image with ${server.findings} findings`, image],
    [`index of ${server.platforms} such images`, index],
    ['first pull of such an image', first],
  ];
  const cells = rows.map(([title, taken]) => {
    const [without, signed] = [median(taken.map((each) => each.one)), signedOf(taken)];
    return [title, `${without.toFixed(2)} ms`, `${signed.toFixed(2)} ms`, ratioOf(taken)];
  });
  print(table(['manifest, p50', 'without', 'with a signature', '÷'], cells));
}

const signedOf = (taken: readonly Pair[]) => median(taken.map(({ other }) => other));

const ratioOf = (taken: readonly Pair[]) =>
  marked(AIMS.signatureGate, signedOf(taken) / median(taken.map((each) => each.one)));

await one();
await many();
await gate();
