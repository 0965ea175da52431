import { make } from '/common/dom.js';
import { showToast } from '/common/shell.js';

import { fetchView, runAction } from './api.js';
import { createForm } from './fields.js';
import { createStatusChip, formatStatus, describeVisit, formatDayAndTime } from './rows.js';
import { openSheet, createSheetSection, setSheetTitle } from './sheet.js';

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
const formatDisplayName = ({ firstName, lastName }) => `${firstName} ${lastName}`;

/** Opens the sheet of an attendee. */
export async function openAttendee(_event, attendeeId, { now }) {
	const load = () => fetchView(service, 'person', { attendeeId });
	let person = await load();
	const details = createForm({
		fields: [...attendeeFields, statusField],
		values: person.attendee,
		submitLabel: 'Save Changes',
		onSubmit: async (values) => {
			await runAction(service, 'changeAttendee', { attendeeId, ...values });
			showToast('Saved', 'good');
			await refresh();
		},
	});
	const header = make('div', { class: 'facts-line' });
	const registrations = make('div', { class: 'list' });

	const runAndRefresh = async (action, input, text) => {
		try {
			await runAction(service, action, input);
			showToast(text, 'good');
		} catch (error) {
			showToast(error.message, 'bad');
		}
		await refresh();
	};
	const createStatusButton = (registration, status, label) =>
		registration.status !== status &&
		make(
			'button',
			{
				class: `button small ${status === 'cancelled' ? 'deny' : ''}`,
				type: 'button',
				onclick: () =>
					runAndRefresh(
						'setRegistrationStatus',
						{ registrationId: registration.id, status },
						`The registration is ${formatStatus(status)}`,
					),
			},
			label,
		);

	function show() {
		const { attendee } = person;
		const visit = attendee.checkInTime && { in: attendee.checkInTime, out: null };
		setSheetTitle(formatDisplayName(attendee));
		header.replaceChildren(
			createStatusChip(attendee.status),
			make('code', {}, attendee.id),
			make('span', { class: 'from' }, describeVisit(visit, now())),
		);
		details.update(attendee);
		const rows = person.registrations.map((registration) =>
			make(
				'article',
				{ class: 'row' },
				make(
					'div',
					{ class: 'words' },
					make(
						'h4',
						{},
						make('code', {}, registration.id),
						' ',
						createStatusChip(registration.status),
					),
					make('p', { class: 'from' }, formatDayAndTime(registration.registrationDate)),
				),
				make(
					'div',
					{ class: 'buttons' },
					createStatusButton(registration, 'confirmed', 'Confirm'),
					createStatusButton(registration, 'cancelled', 'Cancel'),
				),
			),
		);
		const add = make(
			'button',
			{
				class: 'button',
				type: 'button',
				onclick: () =>
					runAndRefresh(
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
		formatDisplayName(person.attendee),
		[
			header,
			createSheetSection('Details', details.form),
			createSheetSection('Registrations', registrations),
		],
		refresh,
	);
	show();
}
