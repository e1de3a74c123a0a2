/** What the form of a trust rule edits: the rule with its conditions as lines of text. */
import type { Robot, TokenScope, TrustRuleView } from '@portcullis/contract';
import { orNull } from '../../../kit/form/draft.ts';
import { linesOf, parseLines } from './conditions.ts';

export interface TrustDraft {
  name: string;
  issuer: string;
  audience: string;
  /** Lines of text. */
  conditions: string;
  robot_id: string;
  scope: TokenScope;
  minutes: number;
  ca_cert: string;
  enabled: boolean;
}

export const ISSUERS = {
  github: 'https://token.actions.githubusercontent.com',
  gitlab: 'https://gitlab.com',
} as const;

export function draftOf(rule: TrustRuleView | null, [first]: Robot[]): TrustDraft {
  return {
    name: rule?.name ?? '',
    issuer: rule?.issuer ?? ISSUERS.github,
    audience: rule?.audience ?? window.location.origin,
    conditions: rule ? linesOf(rule.conditions) : '',
    robot_id: rule?.robot.id ?? first?.id ?? '',
    scope: rule?.scope ?? { folders: 'all', actions: ['pull', 'push'], api: true, registry: true },
    minutes: rule?.minutes ?? 15,
    ca_cert: rule?.ca_cert ?? '',
    enabled: rule?.enabled ?? true,
  };
}

export function isComplete({ name, issuer, audience, conditions }: TrustDraft): boolean {
  const isFilled = [name, issuer, audience, conditions].every((text) => text.trim() !== '');
  return isFilled && 'conditions' in parseLines(conditions);
}

export function requestOf({ conditions: lines, ca_cert, ...draft }: TrustDraft) {
  const parsed = parseLines(lines);
  const conditions = 'conditions' in parsed ? parsed.conditions : {};
  return { ...draft, conditions, ca_cert: orNull(ca_cert) };
}

/** A certificate was for the issuer before; beside a known issuer it would be trusted unseen. */
export function issuerChange(kind: string | null): Pick<TrustDraft, 'issuer' | 'ca_cert'> {
  return { issuer: kind === 'github' || kind === 'gitlab' ? ISSUERS[kind] : '', ca_cert: '' };
}
