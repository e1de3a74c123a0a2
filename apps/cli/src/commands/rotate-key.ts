/** Seals the stored secrets with another key. */
import { conflict } from '@portcullis/errors';
import { beginKeyChange, keyIdFor, loadSecretKeys, sealer } from '@portcullis/runtime';
import { openStore, type Resealed } from '@portcullis/store';
import type { Command, CommandCall } from '../command.ts';
import { announceChange, migratedDatabase } from '../connections.ts';
import { assertStopped } from '../running.ts';

export const rotateKey: Command = {
  name: 'rotate-key',
  words: [],
  summary: 'encrypt all stored secrets with another key',
  help: [
    'Encrypts passwords of registries, credentials of jobs and secrets of settings again. An interrupted run leaves',
    'everything readable; run it again to finish. Afterwards all accounts must log in again: sessions are signed with a',
    'key that is derived from this one.',
    '',
    'If the key is in DATA_DIR/secret.key: stop Portcullis, run this, start it. The file then has the new key.',
    'If the key is in SECRET_KEY: set SECRET_KEY to a new one (openssl rand -hex 32) and SECRET_KEY_PREVIOUS to the old',
    'one for every process, restart them one by one, run this with the same two, and then remove SECRET_KEY_PREVIOUS.',
    'Nothing has to stop.',
  ],
  options: {},
  run: (call) =>
    call.config.secretKey === undefined ? changeKeyFile(call) : resealWithConfiguredKey(call),
};

async function changeKeyFile(call: CommandCall) {
  await assertStopped(call);
  const { dataDir } = call.config;
  const [key] = await loadSecretKeys({ dataDir });
  const { next, finish } = await beginKeyChange(dataDir);
  const result = await reseal(call, [next, key]);
  await finish();
  const warnings = await record(call, result);
  return report(result, [
    `The new key is in ${dataDir}/secret.key; start Portcullis again.`,
    ...warnings,
  ]);
}

async function resealWithConfiguredKey(call: CommandCall) {
  const { secretKey, previousKey, dataDir } = call.config;
  const keys = await loadSecretKeys({ secretKey, previousKey, dataDir });
  if (keys.length === 1) {
    const text =
      'SECRET_KEY_PREVIOUS is not set: give the old key there and the new one as SECRET_KEY';
    throw conflict('PREVIOUS_KEY_MISSING', `${text}; see \`portcullis help rotate-key\``);
  }
  const result = await reseal(call, keys);
  const warnings = await record(call, result);
  return report(result, [
    'SECRET_KEY_PREVIOUS is not needed any more, once every process has the new key.',
    ...warnings,
  ]);
}

function record(call: CommandCall, { done, unreadable }: Resealed): Promise<string[]> {
  const detail = { resealed: done, unreadable };
  return announceChange(call, {
    event: 'system.rotate_key',
    action: 'rotate-key',
    detail,
    change: 'settings',
  });
}

async function reseal(
  call: CommandCall,
  [key, ...others]: [Buffer, ...Buffer[]],
): Promise<Resealed> {
  const { open, seal } = sealer(key, others);
  const store = openStore(await migratedDatabase(call), { open, seal });
  try {
    return await store.secrets.reseal({
      keyId: keyIdFor(key),
      reseal: (sealed) => seal(open(sealed)),
      onProgress: ({ done }) => call.terminal.note(`${done} sealed anew`),
    });
  } finally {
    await store.close();
  }
}

function report({ done, unreadable }: Resealed, advice: string[]) {
  const lost = `${unreadable} could be opened with neither key and stay as they are: enter those passwords again.`;
  return {
    lines: [
      `${done} secret(s) are sealed with the new key.`,
      ...(unreadable > 0 ? [lost] : []),
      ...advice,
    ],
    facts: { resealed: done, unreadable },
    exitCode: unreadable > 0 ? 1 : 0,
  };
}
