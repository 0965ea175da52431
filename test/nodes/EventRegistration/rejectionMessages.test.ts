// Protects users whose request is rejected: the message has the reason and the field of the service, and stays short.
import { explain } from '../../../nodes/EventRegistration/explain';

const explainBody = (body: unknown) => explain({ status: 400, headers: {}, kind: 'json', body });
const getMessage = (body: unknown) => explainBody(body).message;

describe('the message for a rejected request', () => {
	it.each([
		[{ Message: 'A.', message: 'B.' }, 'A.'],
		[{ message: 'B.', error_description: 'C.' }, 'B.'],
		[{ error_description: 'C.', error: 'D' }, 'C.'],
		[{ error: 'D', errors: ['E'] }, 'D'],
		[{ errors: ['E', 'F'] }, 'E'],
		[{ errors: [{ message: 'G' }] }, 'G'],
		[{ error: { message: 'H' } }, 'H'],
		[{ Message: 'A.', MessageDetail: 'More.' }, 'A. More.'],
		[{ unknown: true }, undefined],
		[undefined, undefined],
		[null, undefined],
		[[], undefined],
		['text', undefined],
		[{ Message: 7, ModelState: 'no object' }, '7'],
	])('for the body %j is %s', (body, message) => {
		expect(getMessage(body)).toBe(message);
	});

	it('names the field if the text does not name it, and contains each text once', () => {
		expect(
			getMessage({
				Message: 'The request is invalid.',
				MessageDetail: '2 fields are not valid.',
				ModelState: {
					EmailAddress: [
						'The Email address field is required.',
						'The Email address field is required.',
					],
					Phone: ['Must be a number.'],
					'CustomFields.Diet': ['The Diet field must be one of A, B.'],
					'[0].LastName': ['Too long.'],
					'[3].Email': ['The Email field is not valid.'],
				},
			}),
		).toBe(
			'The Email address field is required. Phone: Must be a number. The Diet field must be one of A, B. LastName: Too long. [3].Email: The Email field is not valid.',
		);
	});

	it('has no advice and no general text if the service names the field', () => {
		const fieldErrors = { ModelState: { Email: ['Not valid.'] } };
		expect(explainBody({ Message: 'the request is invalid', ...fieldErrors })).toEqual({
			message: 'Email: Not valid.',
			advice: '',
			fields: ['Email'],
		});
		expect(getMessage({ Message: 'The event is full.', ...fieldErrors })).toBe(
			'The event is full. Email: Not valid.',
		);
		expect(explainBody({ Message: 'The request is invalid.' })).toEqual({
			message: 'The request is invalid.',
		});
	});

	it('has at most five field errors, and the number of the others', () => {
		const ModelState = Object.fromEntries(
			Array.from({ length: 300 }, (_, index) => [`F${index}`, ['Bad.']]),
		);
		expect(getMessage({ Message: 'No.', ModelState })).toBe(
			'No. F0: Bad. F1: Bad. F2: Bad. F3: Bad. F4: Bad. And 295 more.',
		);
	});
});
