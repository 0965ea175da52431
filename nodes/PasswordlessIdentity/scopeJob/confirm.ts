import { field } from '../../engine/field';
import { operation } from '../../engine/operation';
import { toRecord } from '../../engine/run/output';
import { jsonObjectReader } from '../../engine/values/convert';
import { job, optionalText } from '../fields';
import { withoutReservedFields } from '../jobState';

/** Submits the code or other data that the issuer requires before the person can answer the job. */
export const confirm = operation({
	name: 'Confirm',
	action: 'Confirm a scope job',
	description: 'Submit the code the issuer sent to the person',
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
				'The code that the issuer sent by SMS or email. Leave empty only if the issuer requires none.',
			read: optionalText,
			target: { in: 'body' },
		}),
	},
	options: {
		furtherData: field({
			displayName: 'Other Data (JSON)',
			name: 'furtherData',
			type: 'json',
			default: '{}',
			description:
				'What the issuer wants in addition to a code, or instead of one, e.g. {"pin": "1234"}',
			read: (raw) => jsonObjectReader('Other Data (JSON)')(raw || {}),
		}),
	},
	effect: 'the job was confirmed',
	run: async ({ job: id, code, furtherData }, call) => {
		const request = await call.buildRequest();
		const all = { ...furtherData, ...(code !== undefined && { code }) };
		const json = Object.keys(all).length > 0 ? all : undefined;
		return { id, ...withoutReservedFields(toRecord(await call.send({ ...request, json }))) };
	},
	outputSchema: { id: 'string', status: 'string' },
});
