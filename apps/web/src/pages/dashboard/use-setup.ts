/** The steps of a first setup that an administrator has not put away. */
import { useState } from 'react';
import { useAnswer } from '../../api/api.ts';
import { useAccount } from '../../session/account.ts';
import { type SetupStep, setupSteps } from './setup-steps.ts';

const STORAGE_KEY = 'portcullis-setup-hidden';

export interface Setup {
  isLoading: boolean;
  /** Empty where nothing is left to do, and after an error: the page shows what matters more. */
  steps: SetupStep[];
  hide(): void;
}

export function useSetup(): Setup {
  const { is_admin: isAdmin } = useAccount();
  const [isHidden, setHidden] = useState(() => localStorage.getItem(STORAGE_KEY) === 'true');
  const enabled = isAdmin && !isHidden;
  const one = { query: { limit: 1 } };
  const users = useAnswer('users.list', { query: { limit: 2 } }, { enabled });
  const groups = useAnswer('groups.listGroups', one, { enabled });
  const folders = useAnswer('folders.listFolderNames', undefined, { enabled });
  const registries = useAnswer('registries.listRegistries', undefined, { enabled });
  const scanner = useAnswer('trivy.state', undefined, { enabled });
  const stats = useAnswer('dashboard.stats', undefined, { enabled });
  const all = [users, groups, folders, registries, scanner, stats];
  const isKnown = enabled && all.every(({ data }) => data !== undefined);
  const steps = setupSteps({
    users: users.data?.length ?? 0,
    groups: groups.data?.length ?? 0,
    folders: folders.data ?? [],
    registries: registries.data?.length ?? 0,
    jobs: Object.values(stats.data?.jobs.by_status ?? {}).reduce((sum, count) => sum + count, 0),
    scanner: scanner.data ?? null,
  });
  return {
    isLoading: all.some(({ isLoading }) => isLoading),
    steps: isKnown && steps.some(({ isDone }) => !isDone) ? steps : [],
    hide() {
      localStorage.setItem(STORAGE_KEY, 'true');
      setHidden(true);
    },
  };
}
