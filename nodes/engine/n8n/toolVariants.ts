// The variants of a node that n8n makes for agents.
//
// Relies on: n8n adds `Tool` and `HitlTool` to the type of a node (n8n, dist/tool-generation/ai-tools.js and hitl-tools.js), and
//   gives every human review the same message (hitl-tools.js).
// Verified on: 2.41.1 (test/e2e/review.e2e.ts); the message was read in the sources of 2.6 to 2.41.
// If absent: agents get no advice with an error, plain references are read from the wrong item, and a human review is taken for
//   an ordinary approval; with another default message, n8n's text counts as the user's own and is shown next to the call.

import type { INode } from 'n8n-workflow';

type Typed = Pick<INode, 'type'>;

/** Whether an agent uses this node: as a tool, or as the human review of tools. */
export const isTool = ({ type }: Typed): boolean => type.endsWith('Tool');

/** Whether this node is the human review of an agent's tools. */
export const isReview = ({ type }: Typed): boolean => type.endsWith('HitlTool');

/** Default message that n8n sets for every human review. */
export const REVIEW_MESSAGE =
	'=The agent wants to run this tool: {{ $tool.name }}\n\nInput:\n{{ $tool.parameters }}';
