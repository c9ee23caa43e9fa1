/**
 * Task documents of our own, in the forms that people write. The first column says what a line is: `+` asks for something,
 * `-` must not be counted, a blank may be either.
 */
export const syntheticDocs: Readonly<Record<string, string>> = {
  'a bug report': `
-# Export button does nothing on Safari
 
-**Version:** 4.2.1
-**Browser:** Safari 17
 
-### Describe the bug
-When I click on Export, nothing happens. I must be doing something wrong, but it should work.
 
-### Steps to reproduce
-1. Open a report
-2. Click "Export"
-3. See that no file is downloaded
 
-### Actual behavior
-- No file is downloaded
-- The console shows an error
 
-### Expected behavior
+- A CSV file is downloaded
+- The file name contains the date of the report
 
-### Additional context
-We should probably talk about this in the next meeting.
-- [x] I have searched the existing issues
-- [x] I agree to follow the code of conduct
`,
  'a feature request': `
-## Is your feature request related to a problem?
-I'm always frustrated when I have to log in again after each restart. Users must type their password ten times a day.
 
-## Describe the solution you'd like
+The app should remember the session for 30 days.
+- Add a "Remember me" checkbox to the login form
+- Logging out clears the remembered session
 
-## Describe alternatives you've considered
-- A browser extension that must be installed
-- Longer timeouts
 
-## Acceptance criteria
+- [ ] Session survives a browser restart
+- [ ] Session ends after 30 days
+- [ ] Checkbox is off by default
 
-## Tasks
+- [ ] Backend
+  - [ ] Issue long-lived refresh tokens
+  - [x] Store token hashes only
+- [ ] Frontend
+  - [ ] Checkbox with label
 
-## Links
-- [Design](https://example.org/design)
-- https://example.org/discussion/12
`,
  'a product requirements document': `
----
-title: Checkout must be fast
-owner: Dana
----
-# Checkout 2.0
 
-| Author | Status | Reviewers |
-|---|---|---|
-| Dana | Draft | Sam must review |
 
-## Table of contents
-1. [Background](#background)
-2. [Goals](#goals)
-3. [Requirements](#requirements)
 
-## Background
-Today customers must register before they can buy. 34 % of them leave at this point.
-- Registration has 12 fields
-- Competitors should be looked at, too
 
-## Goals
+- Guests can buy without an account
+- Reduce the median time to order to 90 seconds
 
-## Non-goals
-- A new payment provider
-- The shop must not be redesigned
 
-## Personas
-- Grace buys gifts once a year
-- Ravi buys supplies every week
 
-## Functional requirements
 
-### Cart
+1. The cart shows the total including tax.
+2. The customer can change quantities in the cart.
+3. Removing the last item shows an empty state with a link to the catalogue.
 
-### Address
-The address form must have the following fields:
+- name
+- street and number
+- postal code, which must be validated per country
 
+Addresses are looked up while the customer types; the lookup must not block typing.
 
-### Payment
-| ID | Requirement | Priority |
-|----|-------------|----------|
+| PAY-1 | Cards are charged only after the order was confirmed | Must |
+| PAY-2 | Failed payments can be retried three times | Should |
-| PAY-3 | Crypto currencies | Won't |
 
-## Non-functional requirements
+- p95 of the order call is below 300 ms
+- Works without JavaScript
 
-## Risks and assumptions
-- The tax service may be slow
-- Legal must sign off
 
-## Open questions
-- Should we support vouchers?
-- Who must approve refunds
 
-## Glossary
-| Term | Meaning |
-|---|---|
-| Guest | A customer who need not and must not log in |
 
-## Future work
-- One-click orders must be possible
`,
  'plain text': `
-MEETING ROOM BOOKING
 
-1. Purpose
 
-This document describes the booking tool.
 
-2. Requirements
 
+REQ-1: The system shall show free rooms for a chosen day.
+REQ-2: The system shall refuse bookings that overlap.
+REQ-3: Bookings are cancelled automatically when nobody checks in within
-       15 minutes.
 
-The calendar must:
+  a) show one week at a time
+  b) mark the current day
+  c) load within 2 seconds
 
+1) Send a confirmation by mail
+2) Send a reminder 15 minutes before
 
+• Admins can block rooms
+• Rooms have a capacity that is never exceeded
 
-3. Out of scope
 
-- Catering must be ordered elsewhere
-- Parking
`,
  'a short prompt': `
+Write a function that parses ISO dates.
+Return null for invalid input.
+Do not use any library.
-Thanks a lot!
`,
  'another short prompt': `
-Hi, I'm building a small shop. It is written in Python.
 
+Please add a search field to the home page. It should search by name and by tag.
-For example, searching for "tea" finds green tea.
+Don't change the layout.
`,
  'an RFC': `
-# RFC 12: Webhook delivery
 
-## Status of this memo
-This is a draft.
 
-## Terminology
-The key words "MUST", "MUST NOT", "SHOULD" and "MAY" in this document are to be interpreted as described in RFC 2119.
 
-## Motivation
-Receivers must poll today, which wastes resources.
 
-## Protocol
-A sender delivers events by POST.
 
+A sender MUST sign each request. The signature covers the body and the timestamp.
+Receivers SHOULD answer within 5 seconds and
-MUST NOT follow redirects.
+Implementations MAY batch events.
 
-~~~http
-POST /hook HTTP/1.1
-X-Must: sign
-~~~
 
-> Note: an earlier draft said that receivers MUST retry.
 
-## Security considerations
+Secrets MUST be at least 32 bytes long.
 
-## Rationale
-Signing in the header should make middleware simple.
 
-## Alternatives considered
-Polling MUST remain possible was one idea.
 
-## References
-- [RFC 2119](https://www.rfc-editor.org/rfc/rfc2119)
`,
  'user stories of a tracker': `
-SHOP-142: Saved addresses
-Type: Story
-Priority: High
-Assignee: Kim
-Story Points: 5
 
-Description:
+As a returning customer, I want to save my addresses so that I can order faster.
 
-Acceptance Criteria:
+- Customer can save up to five addresses
+- The default address is preselected at checkout
+- Deleting an address asks for confirmation
 
-Scenario: Delete the default address
-Given a customer with two addresses
-When she deletes the default one
+Then the other address becomes the default
+And a notice is shown
 
-Out of Scope:
-- Address validation
-- Sharing addresses
 
-Notes:
-- See the old ticket
-- Design is by Lee
`,
  'a README with acceptance criteria': `
-# tidy-csv
 
-[![build](https://example.org/b.svg)](https://example.org/b)
 
-A small tool that tidies CSV files.
 
-## Installation
-You must have Node 20 or newer.
-
-    npm install must-have-package
 
-## Usage
-- Run \`tidy file.csv\`
-- Pass \`--delimiter\` when it should use another delimiter
 
-## Project structure
-- \`src/\` the sources
-- \`test/\` the tests
 
-## Acceptance criteria
+- Quoted fields keep their line breaks
+- Empty trailing columns are removed
+- A file of 1 GB is handled with less than 100 MB of memory
 
-## Contributing
-- Fork the repository
-- You should open an issue first
 
-## License
-MIT
`,
  'a filled specification': `
-# Feature Specification: Photo albums
 
-**Feature Branch**: \`003-albums\`
-**Created**: 2026-03-02
-**Status**: Draft
-**Input**: User description: "Users must be able to organise photos"
 
-## User Scenarios & Testing
 
-### User Story 1 - Create an album (Priority: P1)
 
 A user creates an album and drags photos into it.
 
-**Why this priority**: Without albums nothing else must be built.
 
-**Acceptance Scenarios**:
 
+1. **Given** no albums, **When** the user creates one, **Then** it appears in the list
+2. **Given** an album, **When** a photo is dropped on it, **Then** the photo is in the album
 
-### Edge Cases
 
-- What happens when an album is deleted while it is open?
+- Deleting an album keeps its photos
 
-## Requirements
 
-### Functional Requirements
 
+- **FR-001**: System MUST let users create albums
+- **FR-002**: Albums MUST NOT be nested
+- **FR-003**: System SHOULD remember the sort order [NEEDS CLARIFICATION: per album or global?]
-- **FR-004**: System MUST [describe capability]
 
-### Key Entities
 
-- **Album**: a named, ordered set of photos
-- **Photo**: an image with its date
 
-## Success Criteria
 
-### Measurable Outcomes
 
+- **SC-001**: Users create an album in under 20 seconds
+- **SC-002**: The list shows 1000 albums without lag
 
-## Assumptions
 
-- Users have at most 10,000 photos
-- Photos must already be imported
`,
  'requirements in EARS': `
-# Requirements Document
 
-## Introduction
 
-This feature adds two-factor authentication.
 
-## Requirements
 
-### Requirement 1
 
+**User Story:** As a user, I want a second factor, so that my account is safe
 
-#### Acceptance Criteria
 
+1. WHEN a user enables the second factor THEN the system SHALL show a QR code
+2. IF the code is wrong THEN the system SHALL reject the login
+3. WHILE the second factor is enabled, the system SHALL ask for it on each new device
 
-### Requirement 2
 
+**User Story:** As an admin, I want to reset factors, so that I can help users
 
-#### Acceptance Criteria
 
+1. WHEN an admin resets a factor THEN the user SHALL be told by mail
`,
  'nested tasks': `
-# Tasks
 
-## 1. Setup
 
+- [x] 1.1 Create the package
+- [ ] 1.2 Configure the linter
+  - [ ] 1.2.1 Forbid default exports
 
-## 2. Implementation
 
+- [ ] T003 [P] Implement the parser in \`src/parser.ts\`
+- [ ] T004 Implement the printer
+  - handles comments
+  - _Requirements: 1.1, 1.2_
 
-## 3. Notes
 
-- The parser was slow before
-- ~~Rewrite in Rust~~
`,
  German: `
-# Anmeldung
 
-## Akzeptanzkriterien
 
+- Die Anmeldung fragt nach E-Mail und Passwort
+- Ein falsches Passwort zeigt eine Fehlermeldung
 
-## Nicht im Umfang
 
-- Anmeldung mit Google
 
-## Hintergrund
 
-- Die alte Anmeldung ist langsam
`,
  'a design document with decisions': `
-# Caching of search results
 
-## Context
 
-Search is slow. We have to do something.
 
-## Decision
 
+We will cache results for five minutes. The cache must be cleared when the index changes.
 
-## Considered options
 
-- Redis should work
-- An in-memory cache
 
-## Consequences
 
-- Memory use grows
-- Results are up to five minutes old
`,
  'notes with lists of forbidden things': `
-# Logging
 
-The log must never contain:
+- passwords
+- tokens
 
-We have three problems:
-- Logs are huge
-- Nobody reads them
-- They must be sent by hand
 
-What we want:
+- one line for each request
+- a request id in each line
 
-For example:
-- GET /a 200
-- GET /b 404
`,
  prose: `
-# Thumbnails
 
+The service creates a thumbnail for each upload. Thumbnails must keep the aspect ratio and have to be at most 256
+pixels wide. It should be noted that the old service cropped images. If an image cannot be read, the service returns a
-placeholder and logs the reason. Currently, users must reload the page.
 
+Thumbnails are stored for 30 days. Older ones must be deleted every night.
-How must we deal with videos? We should discuss this.
`,
  'a quoted and commented text': `
-> You must reply to this mail.
 
-<!-- The template must be filled in -->
-<!--
-- [ ] must be removed
--->
 
+- [ ] Rename the table
-- [Some page](https://example.org/must)
-- ![must](must.png)
 
-\`\`\`
-- must not count
-\`\`\`
 
-The word "must" is used a lot, and \`should\` is a matcher.
`,
};
