import type { IWebhookFunctions } from 'n8n-workflow';

import { SIGNATURE_HEADER, verifySubmission } from '../../../http/signature';
import type { SubmissionKeys, SignatureStatus } from '../../../http/signature';
import { rawBodyOf } from '../../../n8n/rawBody';
import { secretsMatch } from './secret';

/** The header in which other apps send the secret. */
const SECRET_HEADER = 'X-Gatehouse-Secret';

const NO_SECRET = `This trigger takes IDs from this pack's own nodes with the same credential only. To send them from elsewhere, set a 'Trigger Secret' in its credential and send it in the header ${SECRET_HEADER}, or turn on 'Accept From Anyone' in the node.`;
const WRONG_SECRET = `The header ${SECRET_HEADER} does not hold the 'Trigger Secret' of this trigger's credential.`;
const WEB_PAGE = `This came from a web page (it has an Origin header), and web pages may not add IDs unless they send the 'Trigger Secret' of this trigger's credential in the header ${SECRET_HEADER}.`;
const OTHER_KEY =
	"This trigger has another credential than the node that submits the ID, or is in another n8n: set the same 'Trigger Secret' in the credentials of both, or enter that of this trigger's credential in the node's option 'Trigger Secret'.";
const OTHER_TRIGGER = "This was signed for another trigger: choose the right one under 'Trigger'.";
const clockSkewMessage = () =>
	`This was signed more than five minutes before or after now, which is ${new Date().toISOString()} here: set the clocks of both machines right.`;

/**
 * Returns why a request may not submit IDs; undefined if it may. A request needs the Trigger Secret or a signature by one of
 * this pack's nodes. If the credential has no Trigger Secret and 'Accept From Anyone' is on, a request needs neither, unless
 * it has an Origin header: any web page that a user opens could send such a request.
 */
export function rejectionReason(
	context: IWebhookFunctions,
	keys: SubmissionKeys,
): string | undefined {
	const headers = context.getHeaderData();
	const sentSecret = headers[SECRET_HEADER.toLowerCase()];
	const secret = keys.secret !== '' && typeof sentSecret === 'string' ? sentSecret : undefined;
	if (secret !== undefined && secretsMatch(secret, keys.secret)) return undefined;
	const signature = checkSignature(context, keys);
	if (signature === 'valid') return undefined;
	if (headers.origin !== undefined) return WEB_PAGE;
	const isOpenToAll = context.getNodeParameter('acceptFromAnybody', false) === true;
	if (isOpenToAll && keys.secret === '') return undefined;
	if (signature !== undefined) return signatureMessage(signature);
	return keys.secret === '' ? NO_SECRET : WRONG_SECRET;
}

function checkSignature(
	context: IWebhookFunctions,
	{ signing }: SubmissionKeys,
): SignatureStatus | undefined {
	const header = context.getHeaderData()[SIGNATURE_HEADER.toLowerCase()];
	if (typeof header !== 'string') return undefined;
	const id = context.getNode().webhookId ?? context.getWorkflow().id ?? '';
	return verifySubmission(header, bodyOf(context), signing, id);
}

/**
 * Returns the raw bytes of the body. Where n8n does not keep them, returns the JSON that this pack's own nodes would have
 * sent.
 */
function bodyOf(context: IWebhookFunctions): Buffer | string {
	return rawBodyOf(context) ?? JSON.stringify(context.getBodyData());
}

function signatureMessage(signature: Exclude<SignatureStatus, 'valid'>): string {
	if (signature === 'outsideTolerance') return clockSkewMessage();
	return signature === 'otherTrigger' ? OTHER_TRIGGER : OTHER_KEY;
}
