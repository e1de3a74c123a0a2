/** Says how a job stands for its destination, where its verdict alone does not say it. */
import type { Job, JobStandingView } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import { useMessages } from '../../i18n/messages.ts';
import { toneOf, useAnswerWord } from '../../kit/verdict/answer-badge.tsx';
import { type PlaceName, usePlaceName } from '../registries/use-place-name.ts';
import type { Sentence } from './verdict-sentence.ts';

type Destination = JobStandingView['destination'];

/** The folder, or the registry; null for none. */
export function placeName(destination: Destination, nameOf: PlaceName): string | null {
  if (destination === null) return null;
  const { folder, host, registry_id } = destination;
  return folder === null || folder === ROOT_FOLDER ? nameOf(host, registry_id) : folder;
}

/** Null where the verdict says the same. */
export function useStandingSentence(): (job: Job) => Sentence | null {
  const { answer: t } = useMessages('verdict');
  const word = useAnswerWord();
  const nameOf = usePlaceName();
  return ({ standing, verdict }) => {
    if (!standing || standing.state === 'waits') return null;
    const { state, destination, policy, by, until, blocking_total: blocking } = standing;
    const isSaid =
      (state === 'passes' && verdict !== 'blocked') ||
      (state === 'blocked' && until === null && (verdict === 'blocked' || blocking === 0));
    if (isSaid) return null;
    const place = placeName(destination, nameOf);
    const title = place === null ? word(standing) : t.at(word(standing), place);
    const text = {
      passes: () => t.byPolicy(policy.name),
      blocked: () => t.byPolicy(policy.name),
      allowed: () => t.accepted(standing.waived_total, by.join(', ')),
      bypassed: () => t.although(blocking),
    }[state]();
    return { tone: toneOf(standing), title, text };
  };
}
