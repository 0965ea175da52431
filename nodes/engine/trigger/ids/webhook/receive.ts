import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { BadInput, messageWithAdvice, toSentence } from '../../../errors';
import { keysOf } from '../../../http/signature';
import { rawBodyOf } from '../../../n8n/rawBody';
import type { AddResult, NewId } from '../../../watch';
import { isIdTrigger, registry, triggerNodeOf } from '../../common/registry';
import type { SaveLock, WaitingRequest } from '../../common/saveQueue';
import type { IdTriggerDefinition } from '../idTriggerDefinition';
import { rejectionReason } from './admission';
import { idsInNode, isEmptyBody, isAvailabilityCheck, postedIds } from './intake';

/**
 * Before a request is rejected, the credential is read again if the last reading is older than this. So rejected requests
 * cannot cause more frequent readings.
 */
const REJECTED_KEYS_MAX_AGE_MS = 1000;
/** Retry-After of the response when the trigger does not run, or n8n could not save. */
const RETRY_AFTER_SECONDS = 2;

const NOT_RUNNING =
	'The trigger does not run in this n8n process, so this ID would not be watched. It is starting, it has a problem with its credential, or n8n runs its webhooks in processes of their own: send the request to the main process. If the pack was updated a moment ago, unpublish the workflow and publish it again.';
const NOT_SAVED =
	"n8n's database has not saved this ID within 30 seconds, so it could be lost. Send the request again. If this persists, see n8n's log.";

const STATUS: Record<Extract<AddResult, { ok: false }>['reason'], number> = {
	badId: 400,
	tooMuchData: 413,
	tooMany: 429,
	stopped: 503,
};

/**
 * Receives submitted IDs and adds them to the running trigger. Responds only after n8n has confirmed that they are saved.
 * Rejects any other request with the reason, without a failed execution.
 */
export async function receiveIds(
	context: IWebhookFunctions,
	definition: IdTriggerDefinition,
): Promise<IWebhookResponseData> {
	return context.getMode() === 'manual'
		? await receiveTest(context, definition)
		: await receiveLive(context, definition);
}

async function receiveLive(
	context: IWebhookFunctions,
	definition: IdTriggerDefinition,
): Promise<IWebhookResponseData> {
	const node = triggerNodeOf(context);
	const { workflowId, nodeId } = node;
	const trigger = registry.find(node);
	if (!trigger || !isIdTrigger(trigger)) return respondNotRunning(context);
	const keys = await trigger.keys();
	if (!keys) return respondNotRunning(context);
	if (rejectionReason(context, keys)) {
		// The Trigger Secret may just have been changed in n8n, and callers may already send the new one: read the credential
		// again.
		const reason = rejectionReason(context, (await trigger.keys(REJECTED_KEYS_MAX_AGE_MS)) ?? keys);
		if (reason) return respondWithError(context, 403, reason);
	}
	if (!isJsonOrEmpty(context)) return respondNotJson(context);
	const body: unknown = context.getBodyData();
	// A check adds nothing, so there is nothing to save.
	if (isAvailabilityCheck(body)) return respond(context, trigger.watcher.add([]));
	const posted = readOrReject(context, () => postedIds(body, definition.readSubject));
	if ('rejection' in posted) return posted.rejection;
	const added = trigger.watcher.add(posted.ids);
	if (!added.ok) return respond(context, added);
	const response = context.getResponseObject();
	const isConnected = () => !response.destroyed;
	const lock = await registry.saveQueue.acquire(workflowId, { nodeId, trigger, isConnected });
	return lock ? await saveThenRespond(context, workflowId, lock, added) : respond(context, added);
}

/**
 * Has n8n save the IDs, and responds when n8n confirms it. n8n 2.41.1 itself responds with success even if its save failed. A
 * save that n8n began earlier lacks these IDs and must not reach the database after this one.
 */
async function saveThenRespond(
	context: IWebhookFunctions,
	workflowId: string,
	lock: SaveLock,
	added: AddResult,
): Promise<IWebhookResponseData> {
	const saves = registry.savesOf(workflowId);
	await saves.drain();
	void saves.confirm(context).then((isSaved) => {
		lock.release(isSaved);
		if (isSaved) context.getResponseObject().json(respond(context, added).webhookResponse);
		else respondUnavailable(context, NOT_SAVED);
	});
	// n8n saves once this has returned.
	writeStoredStates(context, workflowId, lock.requests);
	return { noWebhookResponse: true };
}

function respond(context: IWebhookFunctions, result: AddResult): IWebhookResponseData {
	if (!result.ok) {
		return result.reason === 'stopped'
			? respondNotRunning(context)
			: respondWithError(context, STATUS[result.reason], result.message);
	}
	const { watched, added, alreadyWatched, alreadyEnded: alreadyFinished } = result;
	return { webhookResponse: { watched, added, alreadyWatched, alreadyFinished } };
}

/** Writes the state of all triggers of the workflow, since n8n saves one column for all of them. */
function writeStoredStates(
	context: IWebhookFunctions,
	workflowId: string,
	requests: WaitingRequest[],
): void {
	const data = context.getWorkflowStaticData('global');
	// A trigger that has stopped meanwhile is no longer in the registry. Its state comes from its waiting request, so that
	// its successor can restore it.
	const triggers = new Map(requests.map(({ nodeId, trigger }) => [nodeId, trigger]));
	const statesOfRequests = [...triggers].map(
		([nodeId, trigger]) => [nodeId, trigger.storedState()] as const,
	);
	const states = new Map([...statesOfRequests, ...registry.storedStates(workflowId)]);
	for (const [nodeId, state] of states) data[nodeId] = state;
}

/**
 * Receives IDs for a test run. n8n 2.41.1 starts the trigger afterwards and separately, and drops the returned items, so the
 * IDs are stored in the registry, where the trigger finds them. A request without a body tests the entered IDs.
 */
async function receiveTest(
	context: IWebhookFunctions,
	{ service, readSubject }: IdTriggerDefinition,
): Promise<IWebhookResponseData> {
	const keys = keysOf(service, await context.getCredentials(service.credentialType));
	const reason = rejectionReason(context, keys);
	if (reason) return respondWithError(context, 403, reason);
	if (!isJsonOrEmpty(context)) return respondNotJson(context);
	const body: unknown = context.getBodyData();
	// n8n 2.41.1 keeps listening, because a check returns no items.
	if (isAvailabilityCheck(body)) return { webhookResponse: { test: true, watched: 0 } };
	const posted = isEmptyBody(body)
		? { ids: [] }
		: readOrReject(context, () => postedIds(body, readSubject));
	if ('rejection' in posted) return posted.rejection;
	const entered = readOrReject(context, () => idsInNode(context, readSubject));
	if ('rejection' in entered) return entered.rejection;
	const watched = posted.ids.length + entered.ids.length;
	if (watched === 0) {
		return respondWithError(context, 400, 'No ID was posted, and none is entered in the node.');
	}
	registry.storeTestIds(triggerNodeOf(context), posted.ids);
	// When items are returned, n8n 2.41.1 would send a response of its own.
	context.getResponseObject().json({ test: true, watched });
	return { workflowData: [[{ json: {} }]], noWebhookResponse: true };
}

/**
 * Whether the request is declared as JSON, or has no body. Other content types are rejected: a form on any web page can post
 * `text/plain`, `multipart/form-data` and URL-encoded bodies without a CORS preflight.
 */
function isJsonOrEmpty(context: IWebhookFunctions): boolean {
	const type = context.getHeaderData()['content-type'];
	if (/^\s*application\/json\s*(;|$)/i.test(type ?? '')) return true;
	const rawBody = rawBodyOf(context);
	if (rawBody) return rawBody.length === 0;
	return type === undefined && isEmptyBody(context.getBodyData());
}

const respondNotJson = (context: IWebhookFunctions) =>
	respondWithError(
		context,
		415,
		'Send JSON with the header Content-Type: application/json, for example {"ids": ["…"]}.',
	);

function readOrReject(
	context: IWebhookFunctions,
	readIds: () => NewId[],
): { ids: NewId[] } | { rejection: IWebhookResponseData } {
	try {
		return { ids: readIds() };
	} catch (error) {
		const { message, advice } = badInputOrThrow(error);
		const text = toSentence(messageWithAdvice(message, advice));
		return { rejection: respondWithError(context, 400, text) };
	}
}

/** Rethrows other errors, such as that of an expression in the node's own field. */
function badInputOrThrow(error: unknown): BadInput {
	if (error instanceof BadInput) return error;
	throw error;
}

const respondNotRunning = (context: IWebhookFunctions) => respondUnavailable(context, NOT_RUNNING);

const respondUnavailable = (context: IWebhookFunctions, message: string) =>
	respondWithError(context, 503, message, { 'Retry-After': `${RETRY_AFTER_SECONDS}` });

function respondWithError(
	context: IWebhookFunctions,
	status: number,
	message: string,
	headers: Record<string, string> = {},
): IWebhookResponseData {
	context.getResponseObject().status(status).set(headers).json({ message });
	return { noWebhookResponse: true };
}
