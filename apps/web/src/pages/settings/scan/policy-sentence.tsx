import type { ScanPolicy } from '@portcullis/contract';
import { useContext } from 'react';
import { LanguageContext } from '../../../i18n/words.ts';
import { useVerdictWords } from '../../../words/verdict-words.ts';
import { useScanWords } from './scan-words.ts';

/** What the policy means, in one sentence. */
export function PolicySentence({ policy }: { policy: ScanPolicy }) {
  const t = useScanWords();
  const { severity } = useVerdictWords();
  const either = new Intl.ListFormat(useContext(LanguageContext), { type: 'disjunction' });
  if (!policy.scan_enabled) return t.sentenceOff;
  if (policy.severities.length === 0) return t.sentenceNone;
  return t.sentence(either.format(policy.severities.map((each) => severity[each])));
}
