import { field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { asRecord } from '../../engine/run/output';
import { jsonObject } from '../../engine/values/convert';
import { job, text } from '../fields';
import { restOf } from '../jobState';

/** Hands in what the issuer wants to see before the job may be answered. */
export const confirm = operation({
	name: 'Confirm',
	action: 'Confirm a scope job',
	description:
		'Hand in the code that the issuer sent to the person. Some jobs can only be answered after that. The job stays outstanding.',
	request: 'POST /scope/{job}',
	fields: {
		job,
		code: field({
			displayName: 'Code',
			name: 'code',
			type: 'string',
			default: '',
			secret: true,
			placeholder: 'e.g. 482913',
			description:
				'The code that the issuer sent by SMS or mail. Leave it empty only if the issuer wants none: the job is then confirmed without a code.',
			read: text,
			target: { in: 'body' },
		}),
	},
	options: {
		furtherData: field({
			displayName: 'Further Data',
			name: 'furtherData',
			type: 'json',
			default: '{}',
			description:
				'What else, or instead of a code, the issuer wants, as JSON, for example {"pin": "1234"}',
			read: (given) => jsonObject('Further Data')(given || {}),
		}),
	},
	once: 'the job was confirmed',
	run: async ({ job: id, code, furtherData }, call) => {
		const request = await call.request();
		const all = { ...furtherData, ...(code !== undefined && { code }) };
		const json = Object.keys(all).length > 0 ? all : undefined;
		return { ...restOf(asRecord(await call.send({ ...request, json }))), job: id };
	},
	yields: { job: 'string', status: 'string' },
});
