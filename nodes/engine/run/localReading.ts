/**
 * Whether the pack reads parameters without n8n's expression engine where it can: a parameter without an expression once per
 * execution, and a plain reference such as `{{ $json.id }}` from the item's data (`parameters`, `references`). n8n takes about a
 * millisecond for each expression and item.
 *
 * If false, n8n evaluates every parameter for every item. Use that to find out whether an unexpected value comes from the pack's
 * own reading, or if a later n8n evaluates plain references differently. It is a constant because the rules for community nodes
 * forbid environment variables (`no-restricted-globals` of @n8n/eslint-plugin-community-nodes).
 */
export const READS_LOCALLY: boolean = true;
