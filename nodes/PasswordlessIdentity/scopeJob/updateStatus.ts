import type { IDataObject } from 'n8n-workflow';

import { asOutput } from '../../engine/run/execute';
import { looksLikeToken } from '../../engine/token/jwt';
import type { Operation } from '../../engine/operation';
import type { Answer } from '../../engine/http/types';
import {
	additionalClaims,
	email,
	job,
	ownIssuer,
	ownSubject,
	phone,
	signedFields,
} from '../fields';
import { restOf } from '../jobState';

/**
 * The token that some issuers answer with in place of a status. One that says what it is need not be readable: the job is
 * answered all the same, and sending it again would change nothing.
 */
function answeredToken({ status, body, headers }: Answer): string | undefined {
	if (status >= 300 || typeof body !== 'string') return undefined;
	const text = body.trim();
	const named = /^application\/jwt\b/i.test(headers['content-type'] ?? '');
	const whole = named && /^[\w-]+(\.[\w-]*){2}((\.[\w-]+){2})?$/.test(text);
	return whole || looksLikeToken(text) ? text : undefined;
}

/** Answers a job in the name of the person who is asked, as the phone does. */
export const updateStatus: Operation = {
	name: 'Update Status',
	action: 'Update the status of a scope job',
	description:
		'Complete a scope job with a token that the person who was asked has signed. Normally the phone does this. A token in the answer comes out as it is; Get verifies it.',
	request: { method: 'PUT', path: '/scope/{job}', body: 'jwt' },
	fields: [job, ...signedFields([ownSubject, additionalClaims([email, phone]), ownIssuer], true)],
	repeatable: true,
	accept: (answer) => answeredToken(answer) !== undefined,
	output: (answer, call) => {
		const job = `${call.field('job')}`.trim();
		const token = answeredToken(answer);
		// In the word for it that issuers use who answer with a status. Nobody has checked the token here.
		if (token !== undefined) return { job, status: 'ready', verified: false, token };
		return { ...restOf(asOutput(answer) as IDataObject), job };
	},
	yields: { job: 'string', status: 'string', verified: 'boolean', token: 'string' },
};
