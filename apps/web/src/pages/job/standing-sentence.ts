/** Says how a job stands for its destination, where its verdict alone does not say it. */
import type { Job } from '@portcullis/contract';
import { useMessages } from '../../i18n/messages.ts';
import { toneOf, useAnswerWord } from '../../kit/verdict/answer-badge.tsx';
import { placeName, usePlaceName } from '../registries/use-place-name.ts';
import type { Sentence } from './verdict-sentence.ts';

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
