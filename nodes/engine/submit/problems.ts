import { messageWithAdvice, toSentence } from '../errors';
import type { Problem, ServiceFailure } from '../errors';
import { BLOCKED } from '../http/networkErrors';
import { firstText } from '../values/convert';

/** Number of characters of a trigger's message that are shown. */
const MAX_MESSAGE_LENGTH = 400;

/** Why a trigger does not accept an ID, and how the user can fix it. */
export type SubmitProblem = Required<Problem>;

const COPY_URL_ADVICE =
	"Choose the trigger from the list, or paste the production URL that the trigger's panel shows.";

const NOT_RUNNING: SubmitProblem = {
	message: "The trigger at this URL isn't running: publish its workflow",
	advice: `If it is published, check the URL, and that 'Accept New IDs by Webhook' is on in the trigger. ${COPY_URL_ADVICE}`,
};
const NOT_LISTENING: SubmitProblem = {
	message: 'The trigger at this test URL is not listening',
	advice:
		"Click 'Execute step' in the trigger first: it takes one ID each time, and n8n listens only while no IDs are entered in the trigger. Otherwise use the trigger's production URL.",
};
export const NOT_A_TRIGGER: SubmitProblem = {
	message: "This URL isn't one of this pack's triggers",
	advice: COPY_URL_ADVICE,
};
const UNREACHABLE: SubmitProblem = {
	message: "The trigger's URL cannot be reached",
	advice:
		'Check the address, that n8n can reach it from where this workflow runs, and for https that n8n trusts its certificate.',
};
const REDIRECTED: SubmitProblem = {
	message: "The trigger's URL redirects to another address",
	advice: 'Paste the address that it leads to; often only http must be https.',
};

/** Converts a failed request to the reason why the trigger does not accept the ID. */
export function problemOf(failure: ServiceFailure, url: string): SubmitProblem {
	const { status = 0, code, body, message, advice = '' } = failure;
	const triggerMessage = firstText(body, ['message', 'error'])?.slice(0, MAX_MESSAGE_LENGTH);
	const withTriggerMessage = (title: string, fallback: string) => ({
		message: title,
		advice: triggerMessage ?? fallback,
	});
	if (status >= 200 && status < 300) return NOT_A_TRIGGER;
	if (status >= 300 && status < 400) return REDIRECTED;
	if (status === 404) return isTestUrl(url) ? NOT_LISTENING : NOT_RUNNING;
	if (status === 403) return withTriggerMessage('The trigger rejected this node', COPY_URL_ADVICE);
	if (status === 429)
		return withTriggerMessage('The trigger accepts no more IDs at the moment', 'Try again later.');
	if (status === 503)
		return withTriggerMessage(
			"The trigger at this URL isn't running at the moment",
			'Try again later.',
		);
	if (code === 'UNREACHABLE') return UNREACHABLE;
	if (code === BLOCKED) return { message, advice };
	if (status === 0) return { message, advice: 'Try again later.' };
	return withTriggerMessage(`The trigger's URL answers with status ${status}`, COPY_URL_ADVICE);
}

const isTestUrl = (url: string) => new URL(url).pathname.includes('/webhook-test/');

export const toOneLine = ({ message, advice }: SubmitProblem): string =>
	toSentence(messageWithAdvice(message, advice));
