/** `pcs mirror set` and `pcs mirror remove`: the upstream of a folder, for administrators. */
import type { Result } from '@portcullis/command';
import type { FolderMirror } from '@portcullis/contract';
import { invalid } from '@portcullis/errors';
import type { PcsCall } from '../../command.ts';
import { registryOf } from '../../images.ts';
import { platformsOf } from '../../platforms.ts';

export async function set(call: PcsCall, folder: string): Promise<Result> {
  const api = await call.api();
  const params = { folder_id: folder };
  const { mirror: before } = await api.call('folders.getFolder', { params });
  const from = call.value('from');
  if (before === null && from === undefined)
    throw invalid('USAGE', 'name the upstream with --from: hub, or a saved registry');
  const registry = from === undefined ? undefined : await registryOf(api, from);
  const registry_id = registry === undefined ? (before?.registry_id ?? null) : registry?.id;
  const mirror = { ...before, ...changesOf(call), registry_id: registry_id ?? null };
  const { name, mirror: after } = await api.call('folders.updateFolder', {
    params,
    body: { mirror },
  });
  return {
    lines: [`${name}: the mirror is ${before === null ? 'set' : 'changed'}`],
    facts: { folder: name, mirror: after },
  };
}

/** What the options name; the rest stays. */
function changesOf(call: PcsCall): Partial<FolderMirror> {
  const prefix = call.value('prefix');
  const allow = call.value('allow')?.split(',');
  const platforms = platformsOf(call);
  const check_minutes = numberOf(call, 'check-minutes');
  const keep_days = numberOf(call, 'keep-days');
  return {
    ...(prefix !== undefined && { prefix }),
    ...(allow && { allow }),
    ...(platforms && { platforms: platforms === 'all' ? [] : platforms }),
    ...(check_minutes !== undefined && { check_minutes }),
    ...(keep_days !== undefined && { keep_days }),
  };
}

export async function remove(call: PcsCall, folder: string): Promise<Result> {
  const params = { folder_id: folder };
  const body = { mirror: null };
  const { name } = await (await call.api()).call('folders.updateFolder', { params, body });
  return {
    lines: [`${name}: no mirror any more; what is in the folder stays`],
    facts: { folder: name, mirror: null },
  };
}

function numberOf(call: PcsCall, option: string): number | undefined {
  const text = call.value(option);
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw invalid('USAGE', `--${option} is a whole number`);
}
