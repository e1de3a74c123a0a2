/** The standing of an image for one destination, by a word, a tone and an icon. */
import type { StandingView } from '@portcullis/contract';
import {
  IconBarrierBlock,
  IconCircleCheck,
  IconClock,
  IconKey,
  IconQuestionMark,
  IconShieldCheck,
} from '@tabler/icons-react';
import { useWords } from '../../i18n/messages.ts';
import { Badge, type Tone } from './badge.tsx';

type ShownAnswer = Pick<
  StandingView,
  'state' | 'blocking_total' | 'until' | 'by' | 'waits_for' | 'caveat'
>;

const LOOKS: Record<ShownAnswer['state'], [Tone, typeof IconClock]> = {
  passes: ['good', IconCircleCheck],
  blocked: ['critical', IconBarrierBlock],
  allowed: ['good', IconShieldCheck],
  bypassed: ['high', IconKey],
  waits: ['wait', IconClock],
};

/** What is blocked until a moment is too young, and passes by itself. */
function lookOf({ state, until }: Pick<ShownAnswer, 'state' | 'until'>) {
  return LOOKS[state === 'blocked' && until !== null ? 'waits' : state];
}

/** What passes without being judged is not green. */
export function toneOf(answer: Pick<ShownAnswer, 'state' | 'caveat' | 'until'>): Tone {
  const { state, caveat } = answer;
  return state === 'passes' && caveat !== null ? 'unknown' : lookOf(answer)[0];
}

export function AnswerBadge({ answer }: { answer: ShownAnswer }) {
  const word = useAnswerWord();
  const icon = answer.caveat === null ? lookOf(answer)[1] : IconQuestionMark;
  return (
    <Badge tone={toneOf(answer)} icon={icon}>
      {word(answer)}
    </Badge>
  );
}

/** "Blocked · 35", "Allowed until 26 Feb". */
export function useAnswerWord(): (answer: ShownAnswer) => string {
  const [{ answer: t }, format] = useWords('verdict');
  return ({ state, blocking_total: blocking, until, by, waits_for, caveat }) => {
    if (state === 'passes') return caveat === null ? t.passes : t.caveats[caveat];
    if (state === 'blocked' && until !== null) return t.waitsUntil(format.dateTime(until));
    if (state === 'blocked')
      return blocking === 0 ? t.blocked : t.blockedBy(format.number(blocking));
    if (state === 'allowed') return until === null ? t.passes : t.allowed(format.date(until));
    return state === 'bypassed' ? t.bypassed(by.join(', ')) : t.waits[waits_for ?? 'scan'];
  };
}
