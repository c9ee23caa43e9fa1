/**
 * More task documents of our own, written and labelled before they were first read by the extractor, and kept as they were. The
 * first column says what a line is: `+` asks for something, `-` must not be counted, a blank may be either.
 */
export const freshDocs: Readonly<Record<string, string>> = {
  'PRD with user stories and metrics': `
-# Product Requirements: Shift swap
 
-Last updated: 2026-02-11 by Marta. Please comment before Friday.
 
-## 1. Summary
-Nurses swap shifts in chat groups today. Planners only hear about it when somebody is missing.
 
-## 2. Problem statement
-- Planners spend four hours a week on phone calls
-- Nobody should have to read 200 messages to find a swap
 
-## 3. Users
-- **Nurse**: works shifts, has a phone, rarely a computer
-- **Planner**: must approve swaps
 
-## 4. User stories
+- As a nurse, I want to offer a shift so that a colleague can take it.
+- As a nurse, I want to see open offers that fit my qualification.
+- As a planner, I want to approve or refuse a swap with one click.
 
-## 5. Requirements
 
-### 5.1 Must have
+- A nurse can offer any shift that begins more than 24 hours from now
+- Offers show ward, date, start and end
+- A swap takes effect only after a planner approved it
+  - The planner sees the hours of both nurses before and after
+  - Refusals carry a reason
 
-### 5.2 Nice to have
+- Push messages for new offers
+- Calendar export
 
-### 5.3 Won't have (this time)
-- Swaps between hospitals
-- Automatic matching
 
-## 6. Success metrics
 - 80 % of swaps are handled without a phone call
 - Median time from offer to approval is under 6 hours
 
-## 7. Dependencies
-- The roster API must be available by May
 
-## 8. Timeline
-| Milestone | Date |
-|---|---|
-| Alpha | 2026-04-01 |
-| Beta must be stable | 2026-06-01 |
 
-## 9. FAQ
-**Can a nurse swap with somebody of another ward?**
-Yes, if the planner of that ward agrees. They must both be trained for it.
 
-## 10. Changelog
-- 2026-02-11: added metrics
-- 2026-01-30: planners must approve (was: may)
`,
  'issue with task list and checklist of the template': `
-### Prerequisites
-- [x] I have read the contributing guide
-- [x] I have checked that there is no such issue yet
 
-### Summary
-The list of invoices loads all 40,000 rows at once, so the tab freezes for about eight seconds.
 
-### Proposed solution
+Load the invoices page by page, 50 at a time.
 
-### To do
+- [ ] Add \`limit\` and \`cursor\` to \`GET /invoices\`
+- [ ] Show a "Load more" button under the list
+- [x] Add an index on \`created_at\`
+- [ ] Keep the scroll position when coming back from an invoice
 
-### Environment
-- OS: macOS 14.3
-- Browser: Firefox 122
-- Version: 3.8.0
 
-### Logs
-\`\`\`
-WARN must not render more than 1000 rows
-\`\`\`
 
-### Related
-- #1201
-- Closes #1187
-- https://example.org/board/44
`,
  'ticket with a table of acceptance criteria': `
-# [BILL-381] Dunning letters
 
-**Reporter:** Ines  |  **Sprint:** 14  |  **Estimate:** 8
 
-h3. Description
 
 Overdue invoices get a dunning letter after 14, 28 and 42 days. The third letter announces the handover to collections.
 
-## Acceptance criteria
 
-| # | Given | When | Then |
-|---|-------|------|------|
+| 1 | an invoice that is 14 days overdue | the nightly job runs | the first letter is created |
+| 2 | an invoice that was paid yesterday | the nightly job runs | no letter is created |
+| 3 | a customer with a dunning block | the nightly job runs | no letter is created and the block is logged |
 
-## Definition of done
+- Unit tests for the date arithmetic
+- Letters are reviewed by the legal team
+- Feature flag \`dunning\` is off in production
 
-## Technical notes
-- The job runs in the scheduler at 02:00
-- \`InvoiceRepository.findOverdue\` already exists
 
-## Attachments
-- letter-1.pdf
-- letter-2.pdf
`,
  'a mail': `
-Hi Tom,
 
-thanks for the call yesterday. As discussed, the customer is unhappy with the report page, and Jana is on holiday until the 14th.
 
-Could you please do the following until Thursday?
 
+1. Move the filter bar above the table
+2. Remember the last filter per user
+3. Add a button that exports what is shown (not everything!) to Excel
 
+The export should have the same column order as the table. Dates must be written as dates, not as text.
 
-By the way, the coffee machine is broken again. Somebody must call the service.
 
-Thanks and best regards
-Petra
 
--- 
-Petra Maier | Head of Operations
-You must not forward this message without permission.
`,
  'design proposal in the style of an RFC': `
-- Feature Name: \`lazy_columns\`
-- Start Date: 2025-11-03
-- RFC PR: (leave this empty)
 
-# Summary
-[summary]: #summary
 
 Columns of a table are decoded only when they are read.
 
-# Motivation
-[motivation]: #motivation
 
-Most queries touch four of sixty columns. Decoding must be paid for all sixty of them today.
 
-# Guide-level explanation
 
 Nothing changes for users.
 
-# Reference-level explanation
 
+The reader MUST NOT decode a column before its first value is requested.
+A column that failed to decode MUST report the offset of the broken page, and the reader
-SHOULD go on with the other columns.
 
 Decoded pages are kept in an LRU cache. The cache size is configurable and defaults to 64 MB.
 
-# Drawbacks
-- Errors show up later than users should expect
-- One more cache
 
-# Rationale and alternatives
-- Decode in a thread: must copy each page
-- Do nothing
 
-# Prior art
-Arrow does something like this. Its readers must be told which columns to skip.
 
-# Unresolved questions
-- Should the cache be shared between readers?
-- What must happen on fork?
 
-# Future possibilities
-Predicates could be pushed down to pages.
`,
  'OpenSpec delta': `
-# Session handling Specification Delta
 
-## ADDED Requirements
 
-### Requirement: Idle sessions end
+The system SHALL end a session after 20 minutes without a request.
 
-#### Scenario: Idle for 20 minutes
 - **GIVEN** a signed-in user
 - **WHEN** 20 minutes pass without a request
+- **THEN** the next request is answered with 401
+- **AND** the cookie is cleared
 
-#### Scenario: Activity keeps the session
 - **WHEN** a request arrives in the 19th minute
+- **THEN** the timer starts again
 
-## MODIFIED Requirements
 
-### Requirement: Sign-out
+Signing out SHALL end all sessions of the device.
 
-#### Scenario: Two tabs
 - **WHEN** the user signs out in one tab
+- **THEN** the other tab shows the sign-in page within 5 seconds
 
-## REMOVED Requirements
 
-### Requirement: Remember me
-**Reason**: Security review. Sessions SHALL NOT outlive the browser any more.
-**Migration**: Users must sign in again.
`,
  'OpenSpec proposal': `
-# Change: Add rate limits to the public API
 
-## Why
-Two customers brought the API down in March. We must protect the others.
 
-## What Changes
+- Add a token bucket for each API key (100 requests, 10 per second)
+- Return 429 with \`Retry-After\` when the bucket is empty
+- **BREAKING** Remove the anonymous endpoint \`/v1/ping-all\`
 
-## Impact
-- Affected specs: \`api-gateway\`
-- Affected code: \`src/gateway/limits.ts\`, \`src/gateway/keys.ts\`
 
-## Non-Goals
-- Limits per endpoint
-- A dashboard must not be built now
`,
  'spec-kit with placeholders and checklists': `
-# Feature Specification: Offline notes
 
-**Feature Branch**: \`012-offline-notes\`
-**Created**: 2026-01-09
-**Status**: Draft
 
-## Execution Flow (main)
-\`\`\`
-1. Parse user description from Input
-2. Requirements MUST be testable
-\`\`\`
 
-## ⚡ Quick Guidelines
-- ✅ Focus on WHAT users need and WHY
-- ❌ Avoid HOW to implement
 
-## User Scenarios & Testing *(mandatory)*
 
-### Primary User Story
 A field worker writes notes in places without a network. When the network is back, the notes are sent.
 
-### Acceptance Scenarios
+1. **Given** no network, **When** the worker saves a note, **Then** it is listed with the mark "not sent"
+2. **Given** three unsent notes, **When** the network is back, **Then** all are sent in the order of writing
 
-### Edge Cases
-- What happens when the same note was changed on the server?
-- How does the system handle a full disk?
 
-## Requirements *(mandatory)*
 
-### Functional Requirements
+- **FR-001**: System MUST store notes locally before it tries to send them
+- **FR-002**: System MUST send unsent notes within 60 seconds after the network is back
+- **FR-003**: Users MUST be able to delete an unsent note
+- **FR-004**: System MUST keep both versions on conflict [NEEDS CLARIFICATION: who decides?]
 
-### Key Entities *(include if feature involves data)*
-- **Note**: text, place, time of writing
-- **Outbox**: notes that wait for the network
 
-## Review & Acceptance Checklist
-*GATE: Automated checks run during main() execution*
 
-### Content Quality
-- [ ] No implementation details (languages, frameworks, APIs)
-- [ ] Written for non-technical stakeholders
 
-## Execution Status
-- [x] User description parsed
-- [ ] Review checklist passed
`,
  'Gherkin with outline, rule and tags': `
-@billing @slow
-Feature: Refunds
-  Customers get their money back.
-  It must be easy.
 
-  Background:
     Given a shop with the currency EUR
     And a customer named "Ada"
 
-  Rule: A refund needs a payment
 
-    # the amount should be checked
-    Scenario: Refund of a paid order
       Given a paid order of 30.00
       When the clerk refunds it
+      Then 30.00 is sent to the customer
+      And the order is marked as refunded
+      But the invoice stays as it is
 
-    Scenario Outline: Partial refunds
       Given a paid order of <total>
       When the clerk refunds <amount>
+      Then the open amount is <rest>
 
-      Examples:
-        | total | amount | rest  |
-        | 30.00 | 10.00  | 20.00 |
-        | 30.00 | 30.00  | 0.00  |
 
-  Rule: Refunds are announced
-    Example: Mail
       When a refund was sent
+      Then the customer gets a mail with:
-        """
-        You should see the money within 3 days.
-        """
`,
  'meeting notes': `
-# Weekly sync 2026-03-17
 
-Attendees: Kim, Lee, Noor
-Absent: Pat
 
-## Agenda
-1. Status of the importer
-2. Budget
-3. Any other business
 
-## Notes
-- Lee showed the importer, it looks good
-- The budget should be decided next week
-- Noor thinks that the customer must be asked first
 
-## Decisions
+- We will reject files larger than 50 MB
+- Duplicate rows are skipped and counted
 
-## Action items
+- [ ] Kim: write the error page for rejected files
+- [ ] Lee: log the number of skipped rows
`,
  'non-functional requirements with a glossary': `
-# Telemetry gateway: quality requirements
 
-## Definitions
 
-**Device**
-: A sensor that sends at least one message a day. Devices must be registered.
 
-**Burst**
-: More than 1000 messages in one second.
 
-## Performance
+- The gateway accepts 5,000 messages per second on the reference machine
+- 99 % of messages are stored within 200 ms
+- After a burst the queue is empty again within one minute
 
-## Reliability
+- No message that was acknowledged is lost when one node dies
+- Restarting takes less than 30 seconds
 
-## Security
+- All connections use TLS 1.2 or newer
+- Keys are rotated every 90 days without downtime
 
-## Constraints
+- The gateway runs on the existing Kubernetes cluster
+- Only libraries with a permissive licence are used
 
-## Assumptions
-- Devices have a clock that is right within 5 seconds
-- The network must be there
`,
  'German requirements': `
-# Lastenheft: Fahrtenbuch
 
-## Ausgangslage
-Die Fahrer führen ihr Fahrtenbuch auf Papier. Das muss sich ändern.
 
-## Ziele
+- Fahrten werden ohne Papier erfasst
+- Der Monatsabschluss dauert weniger als eine Stunde
 
-## Anforderungen
 
-### Funktionale Anforderungen
+- Das System muss Start- und Zielort einer Fahrt speichern.
+- Der Fahrer kann eine Fahrt bis Mitternacht desselben Tages ändern.
+- Private Fahrten dürfen für andere nicht sichtbar sein.
+- Das System soll eine Fahrt anhand der GPS-Daten vorschlagen.
 
-### Nicht-funktionale Anforderungen
+1. Die Antwortzeit liegt unter zwei Sekunden.
+2. Die Daten werden zehn Jahre aufbewahrt.
 
-## Abgrenzung
-- Abrechnung von Reisekosten
-- Tankkarten
 
-## Offene Fragen
-- Muss die Unterschrift des Fahrers gespeichert werden?
 
-## Glossar
-- **Fahrt**: Bewegung eines Fahrzeugs von einem Start- zu einem Zielort
`,
  'French and Spanish fragments': `
-# Réservation de salles
 
-## Contexte
-Les salles sont réservées par téléphone.
 
-## Exigences
+- L'utilisateur peut réserver une salle pour une heure au moins
+- Le système doit refuser deux réservations qui se chevauchent
+- Une réservation peut être annulée jusqu'à la veille
 
-## Hors périmètre
-- La facturation
-- Le ménage doit être commandé ailleurs
 
-## Criterios de aceptación
+- La lista muestra solo las salas libres
+- El sistema debe enviar una confirmación por correo
 
-## Preguntas abiertas
-- ¿Quién debe pagar?
`,
  'plain text without any markup': `
-CONTACT FORM
 
-We need a contact form for the website of the choir. The old one was deleted by accident.
 
+The form has three fields: name, mail address and message. All of them are required.
+When the visitor submits the form, a mail is sent to the board and the visitor sees a short confirmation.
+If the mail cannot be sent, the visitor must be told, and the text must not be lost.
 
-Spam has been a problem before.
+Use a honeypot field, no captcha.
 
-Not needed: attachments, phone numbers.
`,
  'prompt with rules and an example': `
-You are a senior TypeScript developer.
 
-# Task
+Write a module \`slug.ts\` that exports a function \`slugify(text: string): string\`.
 
-# Rules
+- Lower case only
+- Words are joined by single hyphens
+- Umlauts become two letters (ä -> ae)
+- Never return an empty string; throw a \`RangeError\` instead
 
-# Example
-- Input: "Über uns"
-- Output: "ueber-uns"
 
-# Output format
+Return only the code, without explanation.
`,
  'requirements with options considered and risks': `
-# Storage of uploads
 
-**Decision owner:** Sam · **Due:** 2026-05-02
 
-## Problem
-Uploads are lost when the container restarts.
 
-## Options
-| Option | Pros | Cons |
-|---|---|---|
-| S3 | must not be operated by us | costs |
-| NFS | cheap | should be monitored |
 
-## Recommendation
 We go with S3.
 
-## Requirements
-| Id | Description | Priority |
-|---|---|---|
+| U1 | Uploads survive a restart of every container | High |
+| U2 | A file of 2 GB can be uploaded in parts | Medium |
+| U3 | Links to files expire after 15 minutes | High |
 
-## Risks
-| Risk | Mitigation |
-|---|---|
-| Bucket is public | Policy must be tested in CI |
 
-## Rollout plan
 1. Create the bucket
 2. Copy the old files
 3. Switch the flag
`,
  'kiro requirements': `
-# Requirements Document
 
-## Introduction
 
 The export wizard lets analysts download filtered data. It should be usable without training.
 
-## Glossary
 
-- **Wizard**: The export dialog with three steps
-- **Analyst**: A user who must have the role \`export\`
 
-## Requirements
 
-### Requirement 1: Choosing columns
 
+**User Story:** As an analyst, I want to choose columns, so that files stay small.
 
-#### Acceptance Criteria
 
+1. WHEN the Wizard opens, THE Wizard SHALL list all columns of the table
+2. THE Wizard SHALL remember the last choice per table
+3. IF no column is chosen, THEN THE Wizard SHALL disable the button "Next"
 
-### Requirement 2: Large exports
 
+**User Story:** As an analyst, I want to leave the page while a file is made, so that I can go on working.
 
-#### Acceptance Criteria
 
+1. WHERE an export has more than 100,000 rows, THE system SHALL make it in the background
+2. WHEN the file is ready THEN the analyst SHALL be told by mail
+   - The mail has a link that is valid for 24 hours
`,
  'bullets nested under senses': `
-# Search box
 
-Do:
+- search while typing, with a delay of 200 ms
+- highlight the hits
 
-Don't:
+- send a request for each key
+- search in deleted pages
 
-Things to know:
-- the index is rebuilt at night
-- German stems are handled by the server
 
-The results page must show, for each hit:
++ title
++ path
++ date of the last change
 
-Already done:
-- the endpoint
-- the index
 
-Later:
-- saved searches
-- synonyms
`,
  'a README of a tool that states what it must do': `
-# logship
 
-Ships log files to a collector.
 
-[Docs](https://example.org/docs) | [Chat](https://example.org/chat)
 
-## Why another shipper?
-Other shippers need Java. You should not have to install Java for this.
 
-## Features to implement
 
+1. **Tail files** - follow files that are rotated or truncated
+2. **Batching** - send at most 500 lines or 1 MB at once
+3. **Back pressure** - stop reading when the collector answers 429
+4. **State** - remember the offset of each file across restarts
 
-## Configuration
 
-| Key | Default | Meaning |
-|---|---|---|
-| \`files\` | | Globs, must not be empty |
-| \`batch.lines\` | 500 | Lines in one request |
 
-## Development
-- Run \`make test\`
-- You must have Go 1.22
 
-## Roadmap
-- Windows support
-- Encryption at rest must come before 1.0
`,
  'data model and API contract': `
-# Contract: orders service
 
-## Endpoints
 
-### POST /orders
+- Creates an order and returns 201 with its id
+- Returns 422 when a line has no product
+- Must be idempotent by the header \`Idempotency-Key\`
 
-\`\`\`json
-{ "lines": [{ "product": "must-have", "count": 1 }] }
-\`\`\`
 
-### GET /orders/{id}
+- Returns 404 for orders of other customers
 
-## Validation rules
+- \`count\` is an integer from 1 to 999
+- \`product\` exists in the catalogue
 
-## Example
-- \`curl -X POST /orders\`
`,
  'CRLF and long sentences': `
-# Backup
 
+The backup job shall run each night at 03:00 local time, shall write its result to the audit log, and shall not run
-while a migration is running.
+Backups older than 35 days shall be deleted, except the first one of each month, which shall be kept for
-one year.
 
-Note: the job was moved from the old host in 2024, where it should have run hourly.
 
+An operator should be able to restore a single table.
+Optionally, the operator may choose a point in time.
 
-The following persons were consulted:
-- the data protection officer
-- the head of IT
`,
  'user stories on three lines': `
-# PRD: Team calendar
 
-## 1. Overview
-The team calendar shows who is away. It replaces the shared spreadsheet.
 
-### Background
-People forget to enter their holidays, so planning has to be repeated.
 
-## 2. Goals
 
-| Goal | Description | Priority |
-|------|-------------|----------|
+| Quick entry | A holiday is entered in under 10 seconds | P0 |
+| One view | All teams are visible on one page | P1 |
 
-### Non-Goals (Out of Scope)
 
-- Payroll integration
-- Approval workflows must stay in the HR tool
 
-## 3. User Stories
 
-### US-001: Enter a holiday
 
+**As an** employee
-**I want to** enter a holiday in the calendar
-**So that** my colleagues know when I am away
 
-**Acceptance Criteria:**
+- First and last day are chosen with two clicks
+- Overlapping entries are refused with a message
+- The entry is visible to the team at once
 
-### US-002: See the team
 
+**As a** team lead
-**I want to** see all absences of a month
-**So that** I can plan
 
-**Acceptance Criteria:**
+- Weekends are shaded
+- Absences of more than one team can be shown together
 
-## 4. Technical Considerations
+- Entries must be stored in the existing database
-- The API is described in the wiki
 
-## 5. Open Questions
-- Should half days be possible?
-- Who must see sick leave?
`,
  'numbered paragraphs of a tender': `
-Tender 2026/17: Document archive
 
-1 General
 
-1.1 The archive replaces the paper files of the registry. The contract begins in July.
 
-2 Requirements of the system
 
+2.1 The system shall store documents in PDF/A.
+2.2 The system shall find a document by its number within three seconds.
+2.3 Each access shall be recorded with user and time.
+2.4 Documents shall be kept for 30 years and shall then be offered to the state archive.
 
-3 Bidders
 
-3.1 References of three comparable projects are enclosed.
 
-4 Contact
 
-4.1 Questions are answered by the registry.
`,
  'Jira wiki markup': `
-h1. PAY-77 Payment reminders
 
-h2. Background
-Customers forget to pay. Support has to call them.
 
-h2. Acceptance criteria
+* A reminder is sent 3 days before the due date
+* No reminder is sent on weekends
+* Customers can switch reminders off
 
-h2. Out of scope
-* SMS
-* Reminders for partners
 
-h2. Technical hints
-* See {{ReminderJob}}
`,
  'AsciiDoc requirements': `
-= Label printer service
-:toc:
-:author: J. Doe
 
-== Introduction
-The service prints labels for parcels.
 
-== Functional requirements
 
+* The service prints a label within 5 seconds after the scan.
+* A label that was printed twice carries the word COPY.
 
-== Non-functional requirements
 
+. The service restarts by itself after a power failure.
+. Logs are kept for 14 days.
 
-== Open points
 
-* Which printers must be supported?
`,
  'bug ticket with expected results': `
-**Title**: Total is wrong with two vouchers
 
-**Severity:** Major
-**Component:** checkout
 
-**Steps to reproduce:**
-1. Put two items into the cart
-2. Enter voucher A
-3. Enter voucher B
 
-**Actual result:**
-The total is reduced twice by voucher A.
 
-**Expected result:**
+Each voucher reduces the total once.
 
-**Workaround:**
-Customers should remove the first voucher and enter it again.
 
-**Fix:**
+- [ ] Apply vouchers by id, not by position
+- [ ] Add a regression test with two vouchers
`,
  'kanban of a README': `
-# Tracker
 
-## To do
+- [ ] Import from CSV
+- [ ] Dark mode
 
-## In progress
+- [ ] Keyboard shortcuts
 
-## Won't do
-- [ ] Mobile app
 
-## Notes
-- Dark mode was asked for by three users
`,
  'an epic with features and a story map': `
-# Epic: Self-service returns
 
-**Goal:** Customers send goods back without calling us.
 
-## Feature 1: Return label
+- The customer chooses the items that go back
+- The customer gets a label as PDF
+- The label is valid for 14 days
 
-## Feature 2: Refund
+- The refund starts when the parcel was scanned
+- The customer is told by mail
 
-## Not in this epic
-- Exchanges
-- Returns from abroad
 
-## Risks
-- Parcel service might change its API
-- Warehouse must be trained
 
-## Estimates
-| Feature | Days |
-|---|---|
-| Return label | 8 |
-| Refund | 13 |
`,
  'an ADR': `
-# 7. Use PostgreSQL for the job queue
 
-Date: 2026-04-03
 
-## Status
-Accepted
 
-## Context
-Jobs are lost when the worker dies. The queue must survive restarts. Redis was used until now.
 
-## Decision
 Jobs are kept in a table of PostgreSQL.
 
+- Workers must take jobs with \`SKIP LOCKED\`
+- A job that failed five times is moved to a table of its own
 
-## Consequences
-- One system less to operate
-- Polling needs to be tuned
 
-## Alternatives considered
-- RabbitMQ, which must be operated by us
-- Keep Redis with AOF
`,
  'EARS in a table and in prose': `
-# Elevator controller
 
-## Scope
 This document covers the door logic.
 
-## Safety requirements
 
-| Req. ID | EARS statement | Verification |
-|---|---|---|
+| SR-1 | While the car moves, the doors shall stay closed. | Test |
+| SR-2 | If an obstacle is detected, then the doors shall open within 0.5 s. | Test |
+| SR-3 | The controller shall stop the car when the rope is slack. | Analysis |
 
-## Comfort
+When no call is pending for 60 seconds, the car lights are dimmed.
+The doors should close without noise.
 
-## Verification methods
-| Method | Meaning |
-|---|---|
-| Test | The behaviour must be shown on the machine |
-| Analysis | The behaviour is derived from models |
`,
  'a chat message': `
-hey! so the landing page is nearly there :)
 
-a few things before we ship:
+- make the headline shorter
+- the signup button must be above the fold on mobile
+- swap the hero image for the new one (it's in the drive)
 
-thx!! and sorry for the late notice
`,
  'long task with code and a quoted mail': `
-# Parser for the sensor protocol
 
+Write a Python module \`sensor.py\` with a function \`parse(data: bytes) -> list[Reading]\`.
 
-The customer wrote:
 
-> The parser must also handle the old format.
-> It should be fast.
 
+The function must raise \`ValueError\` for a wrong checksum.
+Unknown types are skipped.
 
-\`\`\`python
-def parse(data):
-    # must be implemented
-    raise NotImplementedError
-\`\`\`
 
+Use only the standard library. Do not use regular expressions.
 
-Example:
 
-    parse(b"\\x01\\x02")  # should return one reading
 
-References:
-- [Protocol description](https://example.org/protocol.pdf)
-- RFC 1071, which checksums must follow
`,
  'Chinese and Japanese': `
-# 登录功能
 
-## 背景
-- 旧的登录页面很慢
 
-## 需求
+- 用户可以使用邮箱和密码登录
+- 系统必须在三次失败后锁定账户
 
-## 非目标
-- 第三方登录
 
-## 受け入れ基準
+- パスワードは画面に表示されない
+- エラーは日本語で表示される
 
-## 未解决的问题
-- 是否需要验证码？
`,
  'Portuguese and Italian': `
-# Cadastro de clientes
 
-## Contexto
-Hoje o cadastro é feito em papel.
 
-## Requisitos funcionais
+- O sistema deve validar o CPF
+- O usuário pode anexar um documento
 
-## Fora do escopo
-- Cobrança
 
-## Criteri di accettazione
+- L'elenco mostra solo i clienti attivi
+- Il sistema invia una mail di conferma
 
-## Domande aperte
-- Chi deve approvare?
`,
  'checklist of a pull request template': `
-## What does this change?
 Adds a retry to the upload.
 
-## Why?
-Uploads fail on slow lines, users must start again.
 
-## Type of change
-- [ ] Bug fix
-- [x] New feature
 
-## Checklist
-- [ ] My code follows the style of the project
-- [ ] I have added tests
-- [ ] I have updated the documentation
`,
  'service level and limits': `
-# Image resizing service
 
-## Service levels
-| Measure | Target |
-|---|---|
+| Availability | 99.9 % per month |
+| p95 latency | 250 ms |
 
-## Limits
+- Images of up to 40 megapixels are accepted
+- Other formats than JPEG, PNG and WebP are refused with 415
 
-## API
-### \`POST /resize\`
-| Parameter | Type | Required | Description |
-|---|---|---|---|
 | \`width\` | int | yes | Must be between 1 and 8000 |
-| \`fit\` | string | no | \`cover\` or \`contain\` |
 
-## How to run it locally
-1. Install Docker
-2. Run \`make up\`
-3. The port 8080 must be free
`,
  'nested senses with exceptions': `
-# Password rules
 
+Passwords must be at least 12 characters long, unless:
   - the account is a test account
   - a hardware key is used
 
-The reset mail must contain:
+  1. the name of the user
+  2. a link that is valid for one hour
+  3. the address of the support
 
-It must not contain:
+  1. the old password
+  2. the answer to the secret question
 
-We considered the following and dropped it:
-  - security questions
-  - a second password
`,
  'a release brief': `
-# Release brief: Notifications 1.4
 
-Prepared by: Product team
-Reviewed by: Architecture board
 
-## What is this about?
-Users get too many mails. This release gives them control.
 
-## What we will deliver
+- A page where users choose which mails they get
+- A daily digest that replaces single mails
+- An unsubscribe link in every mail
 
-## What we will not deliver
-- Push notifications
-- SMS
 
-## Quality
+- Changes of the settings take effect within one minute
+- The page is usable with a screen reader
 
-## Who is affected
-- Marketing must update its templates
-- Support
 
-## Communication plan
-- Blog post on the release day
-- Mail to all administrators one week before
`,
  'sub-bullets with notes': `
-# Import of contacts
 
-## Functional requirements
 
+1. The user uploads a CSV file.
+   - Files with up to 10,000 lines are accepted.
+   - The separator is detected.
+2. The user maps columns to fields.
+   - A mapping can be saved under a name.
+3. Before the import a preview of ten lines is shown.
 
-## Notes for the developers
-- There is a class for CSV in the old code
-- Ask Mia about the mapping
 
-## Rationale
-Customers send us spreadsheets, which we should not have to type in.
`,
  'BDD in Markdown': `
-# Password reset
 
-## Feature: Reset by mail
 
-**Scenario: Known address**
 
 - Given a registered user
 - When she asks for a new password
+- Then a mail with a link is sent
+- And the page says that a mail was sent
 
-**Scenario: Unknown address**
 
 - Given an address that nobody registered
 - When somebody asks for a new password with it
+- Then no mail is sent
+- But the page says the same as for a known address
 
-## Background information
-- The mail service may send 100 mails a minute
`,
  'issue with expected and suggestions': `
-**Is there an existing issue for this?**
-- [x] I have searched the existing issues
 
-**What happened?**
-The list jumps to the top when an item is deleted.
 
-**What did you expect?**
+The list should stay where it is.
 
-**Possible solution**
-Maybe the state has to be kept in the router.
 
-**Minimal reproduction**
-https://example.org/repro/123
 
-**Acceptance**
+- [ ] Deleting an item keeps the scroll position
+- [ ] Deleting the last item of a page goes to the page before
`,
  'a statement of work in prose': `
-Statement of work
 
-Introduction
 
-Harbour Ltd. runs three car parks. Tickets are printed on paper, and lost tickets cause long queues.
 
-Scope of work
 
+The contractor shall deliver a system that recognises number plates at the gates. The system shall open the gate for
+known plates within two seconds. Unknown plates shall be shown to the operator, who can open the gate by hand.
 
+The system must keep working for eight hours without a connection to the central server.
 
-Not part of this work
 
-The gates themselves are replaced by another contractor. Painting of the ground must be ordered by the client.
 
-Payment
 
-The client pays within 30 days after delivery.
`,
  'bullets with bold names': `
-# Dashboard redesign
 
-## Objectives
+- **Speed**: the first chart is visible after one second
+- **Clarity**: no more than six charts on one page
+- **Access**: each chart has a table with the same numbers
 
-## Current pain points
-- Charts load one after the other
-- Users have to scroll
 
-## Requirements by role
 
-### Analyst
+- can export each chart as CSV
+- can compare two periods
 
-### Manager
+- sees only the regions that belong to her
 
-## Design principles
 - Less is more
 
-## Dependencies
-- Data team has to provide the new endpoint
 
-## Deliverables
+- Responsive page
+- Documentation for support
`,
  'a migration plan': `
-# Plan: move from Jenkins to GitHub Actions
 
-## Why
-The Jenkins host must be switched off in June.
 
-## Tasks
+- [ ] 1. List all jobs with their owners
+- [ ] 2. Write a workflow for the unit tests
+  - [ ] 2.1 Cache the dependencies
+  - [ ] 2.2 Upload the coverage
+- [ ] 3. Move the release job
   - needs the signing key
+- [ ] 4. Switch Jenkins off
 
-## Risks
-- The signing key has to be copied by hand
 
-## Rollback
-- Start Jenkins again
`,
  'an API guideline with must-nots': `
-# Error responses
 
+Every error response MUST have the content type \`application/problem+json\`.
 
 It MUST contain:
+- \`type\`
+- \`title\`
+- \`status\`
 
 It MUST NOT contain:
+- stack traces
+- names of tables
 
+Clients SHOULD treat unknown members as absent.
 
-For instance, this response is fine:
 
-\`\`\`json
-{ "type": "about:blank", "title": "must be set", "status": 404 }
-\`\`\`
 
-The following codes were used before and are listed for reference:
-- 4711: unknown customer
-- 4712: customer must log in
 
-See [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457) for what members mean.
`,
  'a game design task': `
 Make a snake game in a single HTML file.
 
-Requirements:
+- Arrow keys move the snake
+- Eating an apple adds one segment and ten points
+- Hitting a wall or the own body ends the game
+- The high score survives a reload
 
-Nice to have:
+- Sound
+- Touch controls
 
-Not necessary:
-- multiplayer
-- levels
 
-Hints:
-- use requestAnimationFrame
-- you may look at the old version for the colours
`,
  'Dutch and Swedish': `
-# Bestelformulier
 
-## Achtergrond
-- Bestellingen komen nu per telefoon
 
-## Eisen
+- De klant kan een bestelling wijzigen tot 12 uur
+- Het systeem moet een bevestiging sturen
 
-## Buiten scope
-- Betalingen
 
-## Acceptanskriterier
+- Listan visar bara öppna beställningar
+- Systemet ska spara ändringar varje minut
 
-## Öppna frågor
-- Vem måste godkänna?
`,
  'tables of use cases and permissions': `
-# Roles and permissions
 
-| Use case | Visitor | Editor | Admin |
-|---|---|---|---|
 | Read articles | yes | yes | yes |
 | Publish articles | no | yes | yes |
 
-## Use cases
 
-### UC-1 Publish an article
 
-| Field | Content |
-|---|---|
-| Actor | Editor |
 | Trigger | A draft is finished |
 | Postcondition | The article is visible |
 
 1. The editor opens the draft.
 2. The editor presses "Publish".
+3. The system shows the article and sends a mail to all subscribers.
 
-## Business rules
+- BR-1: An article is published only after a second editor approved it
+- BR-2: Articles cannot be deleted, only hidden
`,
  'review comments to address': `
-Thanks for the first version! Some remarks before we can merge:
 
+1. Rename \`getData\` to \`loadInvoices\`.
+2. Handle the case that the list is empty.
+3. Please add a test for the date filter.
 
-I like the structure of the module. The naming of the tests is great, too.
 
-Not for now, but we should think about caching later.
`,
  'a spec with TBDs and an appendix': `
-# Sensor firmware 2.0
 
-Revision 0.3, draft
 
-## 1 Functions
+- F1: The sensor measures temperature every 10 seconds.
+- F2: The sensor sends a message when the temperature changes by more than 0.5 K.
-- F3: TBD
 
-## 2 Interfaces
+- I1: Messages are sent over MQTT with QoS 1.
 
-## 3 Electrical characteristics
-| Parameter | Min | Max | Unit |
-|---|---|---|---|
 | Supply voltage | 3.0 | 3.6 | V |
 | Current in sleep | | 5 | µA |
 
-## Appendix A: Message format
-\`\`\`
-temp;battery;counter
-\`\`\`
 
-## Appendix B: Test equipment
-- The chamber must be booked two weeks before
 
-## Revision history
-- 0.2: the sensor should measure every 20 seconds
`,
  'tasks of a spec-kit feature': `
-# Tasks: Bookmarks
 
-**Input**: Design documents from \`/specs/004-bookmarks/\`
-**Prerequisites**: plan.md (required), spec.md (required for user stories)
-**Tests**: The specification asks for tests, so they must be written first.
 
-## Format: \`[ID] [P?] [Story] Description\`
-- **[P]**: Can run in parallel (different files)
-- **[Story]**: The user story that a task belongs to
 
-## Path Conventions
-- **Single project**: \`src/\`, \`tests/\` at the root
 
-## Phase 1: Setup
-**Purpose**: A project that builds
+- [ ] T001 Create the package with its scripts
+- [ ] T002 [P] Configure the linter
 
-**Checkpoint**: The build must be green here
 
-## Phase 2: User Story 1 - Save a bookmark (Priority: P1) 🎯 MVP
-**Goal**: A reader saves a page
-**Independent Test**: Save a page and see it in the list
+- [ ] T003 [P] [US1] Contract test for POST /bookmarks in \`tests/contract/bookmarks.test.ts\`
+- [ ] T004 [US1] Implement the endpoint in \`src/api/bookmarks.ts\`
 
-## Dependencies & Execution Order
-### Phase Dependencies
-- **Setup**: No dependencies, can start immediately
-- **User stories**: All depend on setup
-### Within Each User Story
-- Tests MUST be written and FAIL before implementation
 
-## Parallel Example: User Story 1
-\`\`\`bash
-Task: "Contract test must fail"
-\`\`\`
 
-## Implementation Strategy
-### MVP First
-1. Complete Phase 1
-2. Stop and validate
 
-## Notes
-- Commit after each task
-- Avoid vague tasks
`,
  'a story file': `
-# Story 2.3: Save drafts
 
-## Status
-Approved
 
-## Story
+**As a** writer,
-**I want** my text to be saved while I type,
-**so that** I lose nothing when the browser crashes
 
-## Acceptance Criteria
+1. A draft is saved at most five seconds after the last key
+2. Reopening the editor offers the draft
+3. A sent article removes its draft
 
-## Tasks / Subtasks
+- [ ] Store drafts (AC: 1)
+  - [ ] Add a table with an index on the author
+  - [ ] Debounce the calls
+- [ ] Offer drafts (AC: 2)
 
-## Dev Notes
-- The editor emits \`change\` events
-- Previous story left a helper in \`src/lib/debounce.ts\`
 
-## Change Log
-| Date | Version | Description | Author |
-|---|---|---|---|
-| 2026-02-02 | 1.0 | Drafts must be saved | Bob |
 
-## Dev Agent Record
-### Completion Notes List
-- All tasks were done
 
-## QA Results
-- Should be tested again on Safari
`,
  'a design doc with goals and non-goals in one section': `
-# Design: rate limiter
 
-Author: Kai, reviewed by Lou
 
-## Context and scope
-Our API has no limits. One customer can slow down all others.
 
-## Goals and non-goals
-**Goals**
+- One customer cannot use more than 10 % of the capacity
+- Limits can be changed without a deployment
 
-**Non-goals**
-- Billing by use
-- Limits inside of the network
 
-## The design
 Each gateway keeps a token bucket for each key.
 
-## Alternatives considered
-- A central counter: every request would have to wait for it
 
-## Cross-cutting concerns
+Keys must not be written to logs.
 
-## Open issues
-- Fair queueing has to be looked at
`,
  'an SRS': `
-# Software Requirements Specification
-## 1. Introduction
-### 1.1 Purpose
-This document specifies the library catalogue.
-### 1.2 Intended Audience and Reading Suggestions
-Developers should read chapter 3 first.
-## 2. Overall Description
-### 2.1 Product Perspective
-The catalogue replaces the card index.
-### 2.2 User Classes and Characteristics
-- Readers search from home
-- Librarians enter books
-### 2.3 Operating Environment
-- Linux servers
-### 2.4 Assumptions and Dependencies
-- The city network has to be available
-## 3. System Features
-### 3.1 Search
-#### 3.1.1 Description
-Readers find books.
-#### 3.1.2 Functional Requirements
+- REQ-1: The system shall find books by title, author and ISBN.
+- REQ-2: The system shall show whether a book is lent.
-## 4. Nonfunctional Requirements
-### 4.1 Performance Requirements
+- A search takes at most one second.
-### 4.2 Security Requirements
+- Loans of readers are visible to librarians only.
-## Appendix A: Glossary
-- ISBN: a number that each book must have
`,
  'a pitch': `
-# Pitch: Group invites
 
-## Problem
-Teachers invite thirty pupils one by one. They should not have to.
 
-## Appetite
-Two weeks. It must not take longer.
 
-## Solution
+- A teacher pastes a list of addresses
+- Addresses that are already members are skipped
+- The teacher sees who has accepted
 
-## Rabbit holes
-- Parsing of strange lists: must be kept simple
 
-## No-gos
-- Import from Excel
`,
  'a support request': `
-Hello team,
 
-we have been using your booking page for two years now and are quite happy with it. Last week three of our clients booked the same slot, which must have been a race.
 
-What we would need:
 
+* a slot can be booked only once, even when two people click at the same time
+* the second person sees a friendly message
+* a list of double bookings of the last month
 
-It would be great if this could be done before Easter. We should have a call about the price.
 
-Kind regards,
-Olga
`,
  'a config change request': `
-# CR-118: Log retention
 
-| Requested by | Approved by | Due |
-|---|---|---|
-| Audit | Head of IT must sign | 2026-05-01 |
 
-## Change
+1. Set the retention of access logs to 400 days.
+2. Encrypt log archives with the key \`audit-2026\`.
+3. Remove \`debug\` logs after 7 days.
 
-## Reason
-The auditors found that logs must be kept for a year.
 
-## Back-out plan
-1. Restore the configuration of last week
 
-## Verification
+- \`logctl show\` prints 400 for access logs
+- Archives of today cannot be read without the key
`,
  'feature with description lists and questions': `
-# Search suggestions
 
-Suggestions appear below the search field.
 
-## Behaviour
 
+- Suggestions appear after two characters
+- At most eight suggestions are shown
+- The arrow keys choose a suggestion, Enter searches for it
+- If the service does not answer within 300 ms, nothing is shown
 
-## Questions and answers
 
-**Q: Must suggestions be personal?**
-A: No, they must be the same for everybody.
 
-## Tracking
+The event \`suggestion_chosen\` must be sent with the position of the suggestion.
 
-## Mockups
-- [Desktop](https://example.org/d.png)
-- [Phone](https://example.org/p.png)
`,
  'plain list prompt': `
-Build a pomodoro timer as a web page:
+- 25 minutes of work, 5 minutes of break
+- start, pause and reset buttons
+- play a sound when a phase ends
+- show finished rounds
-Keep it simple.
-I will look at it tomorrow.
`,
  'a legal style text': `
-§ 1 Subject
 
-(1) This agreement governs the delivery of weather data.
 
-§ 2 Duties of the supplier
 
+(1) The supplier shall deliver a forecast for each of the 40 stations by 6 a.m.
+(2) The supplier shall announce maintenance three days before.
 
-§ 3 Quality
 
+(1) The data must have no gaps longer than one hour.
`,
  'xml tags of a prompt': `
-<context>
-Our shop has 200 products. Customers must currently call us.
-</context>
 
-<task>
+Create a product page template that shows price, stock and three related products.
-</task>
 
-<constraints>
+- No external libraries
+- Prices are shown with two decimals
-</constraints>
 
-<examples>
-- A product without stock must look like this: grey
-</examples>
`,
  'tables of requirements in several sections': `
-# Requirements of the kiosk
 
-## Functional
-| No. | Requirement | Source |
-|---|---|---|
+| 1 | The kiosk prints tickets | Interview |
+| 2 | The kiosk takes cards and coins | Law |
 
-## Non-functional
-| No. | Requirement | Measure |
-|---|---|---|
+| 3 | Buying a ticket is quick | 30 seconds for 9 of 10 persons |
 
-## Decided against
-| Idea | Reason |
-|---|---|
-| Banknotes | Must be emptied every day |
 
-## Sources
-| Name | Date |
-|---|---|
-| Interview with the station master, who must be asked again | 2025-11-02 |
`,
  'one-pager': `
-# One-pager: Gift cards
 
-**Owner**: Lena
-**Stage**: Discovery
 
-## TL;DR
-Let people give money to spend in our shop.
 
-## Why now?
-Last December support got 300 requests for it. We must not miss another one.
 
-## What success looks like
 - 2 % of orders in December use a gift card
 
-## Scope
+- Cards can be bought for 25, 50 and 100 euros
+- The buyer gets the card as PDF
+- Balance is shown at checkout
 
-## Explicitly out
-- Physical cards
-- Topping up a card
 
-## Key risks
-- Fraud: stolen credit cards have to be detected early
`,
  'backlog item with rules': `
-# As-is invoice upload
 
+As an accountant I want to upload invoices as ZIP so that I need not click 40 times.
 
-## Rules
+1. A ZIP holds at most 200 files.
+2. Files that are no PDF are listed and skipped.
+3. An invoice number that exists already is rejected.
 
-## UI
-Mockup: https://example.org/mock
 
-## Test data
-- invoices-200.zip
-- broken.zip
 
-## Discussion
-- Mia: we could also support RAR
-- Jon: must be discussed with the vendor
`,
  'RFC 2119 profile': `
-# Event profile 1.1
 
-## Abstract
-This profile describes events between shops and carriers.
 
-## Conformance
-The key words MUST and SHOULD are to be interpreted as in RFC 2119.
 
-## Event format
+Events MUST be JSON objects encoded in UTF-8.
+The member \`id\` is REQUIRED. It MUST be unique per sender.
+Senders SHOULD NOT send more than ten events per second.
+A receiver that does not know a \`type\` MUST ignore the event.
 
-### Example
-\`\`\`json
-{"id": "1", "type": "parcel.lost"}
-\`\`\`
 
-## IANA considerations
-This document has no actions for IANA.
 
-## Acknowledgements
-Thanks to everybody who had to read early drafts.
`,
  'feature file with German keywords': `
-# language: de
-Funktionalität: Anmeldung
-  Wer sich anmeldet, sieht seine Bestellungen.
 
-  Szenario: Richtiges Passwort
     Angenommen ein Kunde mit dem Passwort "tee"
     Wenn er sich mit "tee" anmeldet
+    Dann sieht er seine Bestellungen
+    Und sein Name steht oben rechts
 
-  Szenario: Falsches Passwort
     Wenn er sich mit "kaffee" anmeldet
+    Dann sieht er eine Fehlermeldung
`,
  'tasks in a design note': `
-# Note: slow start of the app
 
-## Observations
-- Start takes 4.2 s on a Pixel 4
-- 1.9 s of it are spent in the font loader
 
-## Plan
+- [ ] Load fonts lazily
+- [ ] Cache the catalogue on disk
+- [ ] Measure again on a Pixel 4
 
-## Target
+The first screen is shown within 1.5 seconds on a Pixel 4.
 
-## Thoughts
-- Maybe the splash screen should be removed altogether
`,
  'interface description': `
-# CLI: csvdiff
 
-\`csvdiff\` compares two files.
 
-## Usage
-\`csvdiff OLD NEW [--key COLUMN]\`
 
-## Expected behaviour
+- Rows are matched by the key column
+- Added rows are printed with \`+\`, removed rows with \`-\`
+- Exit code is 0 without differences, 1 with differences, 2 on errors
+- Files of 1 GB must not be read into memory as a whole
 
-## Examples
-- \`csvdiff a.csv b.csv --key id\` should print nothing
 
-## See also
-- \`diff(1)\`
`,
  'request with constraints in a sentence': `
+I need a landing page for a bakery. It must work without JavaScript and load in under one second on 3G.
+Show the opening hours, the address with a map link and three photos.
-I'm attaching the photos. My budget is small.
+No cookies, no tracking.
-Let me know when you are done!
`,
  'changes list': `
-## Summary of requested changes
 
-### Header
+- Make the logo smaller (32 px high)
+- Remove the second menu
 
-### Footer
+- Add a link to the imprint
+- The year should be the current one
 
-### Please keep as is
-- Colours
-- Fonts
`,
};
