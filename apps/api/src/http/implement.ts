import type { Contract, InputOf, Operation, ReplyOf } from '@portcullis/contract';
import type { ApiCall, PrincipalOf } from './call.ts';

type Handler<O extends Operation> = (
  input: InputOf<O>,
  call: ApiCall<PrincipalOf<O>>,
) => Promise<ReplyOf<O>>;

/** One handler for each operation; a missing or ill-typed one doesn't compile. */
export type Handlers<C extends Contract> = { [K in keyof C]: Handler<C[K]> };

export interface Route {
  name: string;
  operation: Operation;
  /** Input and principal were made by the operation's schemas and access rule. */
  handle(input: InputOf<Operation>, call: ApiCall): Promise<unknown>;
}

export function implement<const C extends Contract>(
  contract: C,
  handlers: NoInfer<Handlers<C>>,
): Route[] {
  return Object.entries(contract).map(([name, operation]) => {
    // `mount` calls each handler with what `Handlers` declares; the compiler cannot follow the
    // pairing by name.
    const handle = handlers[name] as unknown as Route['handle'];
    return { name, operation, handle };
  });
}
