import { make } from '/common/dom.js';
import { toast } from '/common/shell.js';

import { act, view } from './api.js';
import { makeForm } from './fields.js';
import { statusChip, statusText, visitText, whenOf } from './rows.js';
import { openSheet, part, retitleSheet } from './sheet.js';

const service = 'eventData';

export const attendeeFields = [
	{ name: 'firstName', label: 'First name', required: true },
	{ name: 'lastName', label: 'Last name', required: true },
	{ name: 'email', label: 'Email address', type: 'email', required: true },
	{ name: 'company', label: 'Company' },
];
const statusField = {
	name: 'status',
	label: 'Status',
	required: true,
	options: ['registered', 'confirmed', { value: 'cancelled', label: 'canceled' }],
};
const nameOf = ({ firstName, lastName }) => `${firstName} ${lastName}`;

/** Opens the sheet of an attendee. */
export async function openAttendee(_event, attendeeId, { now }) {
	const load = () => view(service, 'person', { attendeeId });
	let person = await load();
	const details = makeForm({
		fields: [...attendeeFields, statusField],
		values: person.attendee,
		submit: 'Save Changes',
		onSubmit: async (values) => {
			await act(service, 'changeAttendee', { attendeeId, ...values });
			toast('Saved', 'good');
			await refresh();
		},
	});
	const head = make('div', { class: 'facts-line' });
	const registrations = make('div', { class: 'list' });

	const attempt = async (action, input, text) => {
		try {
			await act(service, action, input);
			toast(text, 'good');
		} catch (error) {
			toast(error.message, 'bad');
		}
		await refresh();
	};
	const statusButton = (registration, status, label) =>
		registration.status !== status &&
		make(
			'button',
			{
				class: `button small ${status === 'cancelled' ? 'deny' : ''}`,
				type: 'button',
				onclick: () =>
					attempt(
						'setRegistrationStatus',
						{ registrationId: registration.id, status },
						`The registration is ${statusText(status)}`,
					),
			},
			label,
		);

	function show() {
		const { attendee } = person;
		const visit = attendee.checkInTime && { in: attendee.checkInTime, out: null };
		retitleSheet(nameOf(attendee));
		head.replaceChildren(
			statusChip(attendee.status),
			make('code', {}, attendee.id),
			make('span', { class: 'from' }, visitText(visit, now())),
		);
		details.update(attendee);
		const rows = person.registrations.map((registration) =>
			make(
				'article',
				{ class: 'row' },
				make(
					'div',
					{ class: 'words' },
					make('h4', {}, make('code', {}, registration.id), ' ', statusChip(registration.status)),
					make('p', { class: 'from' }, whenOf(registration.registrationDate)),
				),
				make(
					'div',
					{ class: 'buttons' },
					statusButton(registration, 'confirmed', 'Confirm'),
					statusButton(registration, 'cancelled', 'Cancel'),
				),
			),
		);
		const add = make(
			'button',
			{
				class: 'button',
				type: 'button',
				onclick: () =>
					attempt(
						'addRegistration',
						{ eventId: attendee.eventId, attendeeId },
						'A registration was added',
					),
			},
			'Add Registration',
		);
		registrations.replaceChildren(...rows, add);
	}
	async function refresh() {
		const focused = document.activeElement;
		person = await load();
		show();
		if (!focused.isConnected) document.getElementById('sheet-title').focus();
	}
	openSheet(
		nameOf(person.attendee),
		[head, part('Details', details.form), part('Registrations', registrations)],
		refresh,
	);
	show();
}
