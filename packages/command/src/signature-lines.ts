/** What a policy asks of the signatures of an image, and what answers it, for people. */
import { type ExplainedImage, requirementRule } from '@portcullis/contract';
import { answerText, askedText } from '@portcullis/domain';

type Decision = Pick<
  ExplainedImage,
  'signatures' | 'unread_signatures' | 'hidden_signatures' | 'signatures_fault' | 'signature_waiver'
>;
type Requirement = Decision['signatures'][number];
type Answer = Requirement['answers'][number];

export function signatureLines(decision: Decision): string[] {
  const { unread_signatures: unread, signatures_fault: fault, signature_waiver: waiver } = decision;
  return [
    ...decision.signatures.flatMap(requirementLines),
    ...(unread === 0 ? [] : [`${unread} signatures more were not read`]),
    ...(decision.hidden_signatures ? ['the registry does not say whether there are more'] : []),
    ...(fault === null ? [] : [faultLine(fault)]),
    ...(waiver === null ? [] : [`waiver ${waiver.waiver} until ${waiver.until}`]),
  ];
}

function faultLine({
  code,
  message,
  next_try_at: next,
}: NonNullable<Decision['signatures_fault']>) {
  const again = next === null ? '' : `; tried again at ${next}`;
  return `could not be read the last time: ${message ?? 'another registry'} (${code})${again}`;
}

function requirementLines(asked: Requirement): string[] {
  const { code, answers, requirement } = asked;
  const wanted = askedText(requirementRule(asked));
  const outcome = code === null ? 'met' : `not met (${code})`;
  return [`rule ${requirement + 1}, ${wanted}: ${outcome}`, ...answers.map(answerLine)];
}

function answerLine({ uncounted_total: uncountedTotal, ...answer }: Answer): string {
  const { authority, state, signed, uncounted } = answer;
  const [first] = signed;
  if (state === 'not_verified') return `${authority}: not verified yet`;
  if (first === undefined) return answerText({ authority, state, uncounted, uncountedTotal });
  const when = first.at === null ? '' : ` at ${first.at}`;
  return `${authority}: signed by ${first.signer}${when}`;
}
