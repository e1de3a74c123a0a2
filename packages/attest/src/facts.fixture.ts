/** The whole way of a signature in one call: collected, verified, and shown in short. */
import {
  collectSignatures,
  type OpenedAuthority,
  openAuthority,
  type VerificationFact,
  verifySignatures,
} from './index.ts';
import type { SampleRepository } from './repository.fixture.ts';

export function opened(value: object): OpenedAuthority {
  const { authority, faults } = openAuthority(value);
  if (!authority) throw new Error(JSON.stringify(faults));
  return authority;
}

export function keyAuthority(...pems: string[]): OpenedAuthority {
  return opened({ name: 'release', kind: 'key', keys: pems.join('') });
}

export async function factsOf(
  { store, image }: SampleRepository,
  authorities: readonly OpenedAuthority[],
  now = new Date(),
): Promise<VerificationFact[]> {
  const { signatures } = await collectSignatures(store, image.digest);
  const facts: VerificationFact[] = [];
  for await (const fact of verifySignatures({ signatures, authorities, now })) facts.push(fact);
  return facts;
}

/** `counts`, or the code of the reason, for each fact. */
export async function answersOf(
  repository: SampleRepository,
  ...authorities: OpenedAuthority[]
): Promise<string[]> {
  const facts = await factsOf(repository, authorities);
  return facts.map(({ verified, reason }) => (verified ? 'counts' : (reason?.code ?? '')));
}
