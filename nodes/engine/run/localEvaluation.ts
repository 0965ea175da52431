/**
 * Whether the pack avoids n8n's evaluation of parameters where it can. A parameter without an expression is evaluated once
 * per execution. A plain reference such as `{{ $json.id }}` is read from the item's data once n8n has returned the same
 * value for one item (`parameters.ts`, `references.ts`). Set this constant to false to find out whether an unexpected value
 * comes from the pack's own reading, or when a later n8n evaluates plain references differently.
 */
export const EVALUATES_LOCALLY: boolean = true;
