/** What is wrong with a transfer request, by its image. */
import type { FieldFault } from '@portcullis/contract';

export interface OrderFault extends FieldFault {
  /** Null for a fault of the whole request. */
  index: number | null;
  /** True for a missing right, false for a wrong field. */
  denied: boolean;
}
