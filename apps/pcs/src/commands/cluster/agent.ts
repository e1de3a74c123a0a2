/** `pcs agent`: reports what runs in the cluster that it runs in, for as long as it runs. */
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { openApi, siteOf } from '@portcullis/client';
import { countText, plainLine } from '@portcullis/command';
import { ownHost } from '@portcullis/domain/admission';
import { invalid, isAppError } from '@portcullis/errors';
import { createComplaints } from '../../agent/complaints.ts';
import { followPods } from '../../agent/follow-pods.ts';
import { createKubePods } from '../../agent/kube-pods.ts';
import { keepReporting, waitMs } from '../../agent/report-loop.ts';
import { robotToken } from '../../agent/robot-token.ts';
import { createRunningPods, type RunningPods } from '../../agent/running-pods.ts';
import type { PcsCall, PcsCommand } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { caOf, connectionTo } from '../../session.ts';
import { TOKEN_FOLDER } from './exchanged-token.ts';

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const FIRST_PAUSE_MS = 1_000;
const LAST_PAUSE_MS = 60_000;
const LOOK_MS = 1_000;

export const agent: PcsCommand = {
  name: 'agent',
  words: ['<cluster>'],
  summary: 'report what runs in this cluster, until it is stopped',
  help: [
    'Runs in a pod: it follows the pods of the cluster by the service account of its pod, which needs get, list and watch',
    'of pods, and reports which images of the registry run in which namespaces. PORTCULLIS_URL is the address. The robot',
    'needs the right to pull. docs/guide/kubernetes.md has the manifests.',
  ],
  options: {
    host: {
      type: 'string',
      help: 'hosts in names of images, separated by commas; by default that of the address',
    },
    'identity-file': {
      type: 'string',
      help: 'a file with the token of a service account, which a trust rule exchanges',
    },
    'token-file': { type: 'string', help: 'a file with a token of the robot' },
    cache: {
      type: 'string',
      help: `the folder that keeps exchanged tokens; by default ${TOKEN_FOLDER}`,
    },
    'service-account': { type: 'string', help: `its token and ca.crt; by default ${ACCOUNT}` },
  },
  async run(call) {
    const [cluster = ''] = call.words;
    const { kubernetes: server, site: address, version } = call.config;
    if (address === undefined) throw invalid('USAGE', 'set PORTCULLIS_URL to the address');
    if (server === undefined)
      throw invalid('USAGE', 'KUBERNETES_SERVICE_HOST is not set; run it in a pod of the cluster');
    const site = siteOf(address);
    const hosts = new Set((call.value('host') ?? site.host).split(',').map(ownHost));
    const account = call.value('service-account') ?? ACCOUNT;
    const kube = createKubePods({ server, account, hosts, name: `pcs/${version}` });
    const pods = createRunningPods();
    const report = reporting(call, { cluster, site, pods });
    // The first process of a container gets no signal that it does not ask for.
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(EXIT.ok));
    call.terminal.note(`pcs: follows the pods of ${server} for ${site.host}`);
    let isCurrent = false;
    const reads = createComplaints(call.terminal.note, Date.now);
    const reports = createComplaints(call.terminal.note, Date.now);
    await Promise.all([
      followPods({
        ...{ kube, pods },
        current(is) {
          isCurrent = is;
          if (is) reads.settle();
        },
        fault: (error) => reads.say(`pcs: does not read pods, tries again: ${sentenceOf(error)}`),
        pause: (failures) => sleep(waitMs({ failures, random: Math.random(), ...PAUSES })),
      }),
      keepReporting({
        isCurrent: () => isCurrent,
        ...{ revision: pods.revision, now: Date.now, random: Math.random },
        async report() {
          await report();
          reports.settle();
        },
        fault: (error) => reports.say(`pcs: not reported, tries again: ${sentenceOf(error)}`),
        pause: () => lookAgain(call.config.heartbeatFile),
      }),
    ]);
    return { lines: [], facts: undefined };
  },
};

async function lookAgain(heartbeatFile: string | undefined): Promise<void> {
  if (heartbeatFile !== undefined) await writeFile(heartbeatFile, '').catch(() => {});
  await sleep(LOOK_MS);
}

const PAUSES = { first: FIRST_PAUSE_MS, last: LAST_PAUSE_MS };

interface Reporting {
  cluster: string;
  site: URL;
  pods: Pick<RunningPods, 'running'>;
}

function reporting(call: PcsCall, { cluster, site, pods }: Reporting): () => Promise<void> {
  const tokenOf = robotToken(call, site);
  let said = '';
  return async () => {
    const ca = await caOf({ config: call.config, caFile: call.value('ca') });
    const api = openApi({ ...connectionTo(site, call.config, ca), token: await tokenOf() });
    try {
      const { images, notKnown } = pods.running();
      const { kept, not_readable: left } = await api.call('clusters.reportRunningImages', {
        params: { name: cluster },
        body: { images, not_known: notKnown },
      });
      const line = reportedLine({ kept, left, notKnown });
      if (line !== said) call.terminal.note(`pcs: ${line}`);
      said = line;
    } finally {
      api.close();
    }
  };
}

interface Reported {
  kept: number;
  left: number;
  notKnown: number;
}

function reportedLine({ kept, left, notKnown }: Reported): string {
  return [
    `reported ${countText(kept, 'image')} by namespace`,
    ...(left > 0 ? [`${left} more are of folders that the robot may not pull from`] : []),
    ...(notKnown > 0
      ? [`of ${notKnown} more the nodes do not say the digest: name it in the pod`]
      : []),
  ].join('; ');
}

function sentenceOf(error: unknown): string {
  if (isAppError(error)) return plainLine(`${error.message} (${error.code})`);
  return plainLine(error instanceof Error ? error.message : String(error));
}
